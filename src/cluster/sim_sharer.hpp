/// Shares with the other boxes what each SIM has sent by this one, and lets its line send when it is known what they have.
///
/// Each box counts by itself, and the engine has each box's count: so none is lost, whatever the order in which they come.
/// A SIM that another box has, too, may not send here.
/// Threads: the desk's.
#pragma once

#include "src/cluster/sims_sent.hpp"
#include "src/cluster/task.hpp"
#include "src/ports/sim_shares.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace smsrack::cluster {

/// SIMs that have been in this box and are looked at after an entry.
inline constexpr std::size_t used_sims_max = 1'000;
/// Of those that are not here, in one command.
inline constexpr std::size_t left_sims_max = 32;
/// That ask in one command: their answers have sim_recipients_max each.
inline constexpr std::size_t asking_sims_max = 4;

/// A modem that has not spoken for so long since the start has no SIM, as far as is known.
inline constexpr std::chrono::minutes modems_speak_within{5};

class SimSharer final : public Task {
public:
    using Told = std::function<void(ports::SimShare)>;
    struct InSlot {
        std::string iccid = {};
        std::string group = {};  ///< of the modem
        bool has_stayed = false;
    };
    using Task::Task;

    /// ports::SimShares.
    void follow(ModemId line, InSlot sim, Told told);
    void leave(ModemId line);

    /// Answers what it knows itself of a SIM of which the engine has said nothing for a lease; returns when it wants to be
    /// called again.
    SteadyTime step(SteadyTime now);

private:
    enum class Verdict : std::uint8_t { none, may_send, is_elsewhere };
    enum class Asks : std::uint8_t {
        now,             ///< it has not heard all
        with_each_beat,  ///< how far the clock of another box is away is not known yet
        with_its_news,   ///< a box that was away may have sent its own count since
    };
    /// In a slot now.
    struct Sim {
        std::string iccid = {};
        std::string group = {};
        Told told = {};
        SteadyTime since = {};
        Verdict verdict = Verdict::none;
        Asks asks = Asks::now;
        bool is_looked_up = false;  // in this box's memory
        ports::SimShare share = {};
        std::int64_t heard = 0;  // number of the last of its recipients
        std::string parts = {};  // of `share`, as they came
    };
    /// One command, and what it was made of.
    struct Round {
        ports::NameSims command = {};
        std::vector<SimsSent::Counted> counted = {};  // in the order of the command
        bool is_needed = false;
        bool has_more = false;
    };

    void begin() override;
    void name(std::vector<SimsSent::Counted> counted);
    void put_first_who_wait(std::vector<SimsSent::Counted>& counted) const;
    [[nodiscard]] Round next_round(const std::vector<SimsSent::Counted>& counted);
    [[nodiscard]] ports::SharedSim shared(const SimsSent::Counted& counted, std::size_t most) const;
    [[nodiscard]] ports::SimPlace place_of(const std::string& iccid) const;
    [[nodiscard]] const Sim* sender(const std::string& iccid) const;
    void judge(const ports::SharedSim& shared, const ports::NameSims::Named& named);
    void refuse(Sim& sim, BoxNumber elsewhere);
    void allow(Sim& sim, const ports::NameSims::Named& named);
    void tell(Sim& sim);
    void keep(const std::string& iccid, std::string form);
    void look_up(ModemId line, const std::string& iccid);

    std::map<ModemId, Sim> sims_ = {};  // by the line whose slot it is in
    SimsSent sent_ = {};                // also of those that have left, until the engine has all
    std::set<std::string> left_ = {};   // slots of this box, and the engine does not know yet
    std::string asked_last_ = {};       // the next round begins behind it
    std::optional<SteadyTime> began_ = {};
    bool have_spoken_ = false;  // the modems
    bool is_changed_ = false;   // which SIMs are here
    ports::Seat of_ = {};
    std::optional<ports::Seat> named_ = {};
};

}  // namespace smsrack::cluster
