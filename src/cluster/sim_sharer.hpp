/// Shares with the other boxes what each SIM has sent by this one, and lets its line send when it is known what they have.
///
/// Each box counts by itself, and the engine has each box's count: so none is lost, whatever the order in which they come.
/// A SIM that another box has, too, may not send here.
/// Threads: the desk's.
#pragma once

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
    /// In a slot now.
    struct Sim {
        std::string iccid = {};
        std::string group = {};
        Told told = {};
        SteadyTime since = {};
        Verdict verdict = Verdict::none;
        bool asks = true;           // it has not heard all
        bool is_undated = false;    // by whose clock a part is, is not known yet
        bool is_looked_up = false;  // in this box's memory
        ports::SimShare share = {};
        std::int64_t heard = 0;  // number of the last of its recipients
        std::string parts = {};  // of `share`, as they came
    };
    /// What the engine has of a SIM from this box, under this seat.
    struct Sent {
        std::string form = {};
        SteadyTime at = never;              // when it was sent; never: it was not
        std::uint32_t recipients_seen = 0;  // as many as the count said when all of them were sent
        std::set<ports::SimRecipient> recipients = {};
    };
    struct Counted {
        std::string iccid = {};
        ports::SimCount count = {};
    };

    void begin() override;
    void name(std::vector<Counted> counted);
    [[nodiscard]] ports::SharedSim shared(const Counted& counted, std::size_t most) const;
    [[nodiscard]] bool is_here(const std::string& iccid) const;
    [[nodiscard]] const Sim* sender(const std::string& iccid) const;
    void put_first_who_wait(std::vector<Counted>& counted) const;
    void note(const ports::SharedSim& shared, const Counted& counted);
    void judge(const ports::SharedSim& shared, const ports::NameSims::Named& named);
    void refuse(Sim& sim, BoxNumber elsewhere);
    void allow(Sim& sim, const ports::NameSims::Named& named);
    void tell(Sim& sim);
    void keep(const std::string& iccid, std::string form);
    void look_up(ModemId line, const std::string& iccid);

    std::map<ModemId, Sim> sims_ = {};  // by the line whose slot it is in
    // By ICCID; also of those that have left, until the engine has what they have sent last.
    std::map<std::string, Sent> sent_ = {};
    std::set<std::string> left_ = {};  // slots of this box, and the engine does not know yet
    std::string asked_last_ = {};      // the next round begins behind it
    std::optional<SteadyTime> began_ = {};
    bool have_spoken_ = false;  // the modems
    bool is_changed_ = false;   // which SIMs are here
    ports::Seat of_ = {};
    std::optional<ports::Seat> named_ = {};
};

}  // namespace smsrack::cluster
