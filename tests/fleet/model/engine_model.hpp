/// The engine of a fleet, as several boxes see it over their links, with its faults, in simulated time.
///
/// One link is one connection: its commands are carried out in order, one at a time. What a link loses is
/// answered as a real adapter must: closed where nothing was sent, outcome_unknown where the box
/// can't know.
/// Time:    of the injected Clock; step() does what is due and returns its next deadline.
/// Threads: one.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/random.hpp"
#include "tests/fleet/model/engine_state.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::test {

/// What of a link is cut.
enum class Cut : std::uint8_t { none, both, requests, answers };

/// Of one command in a thousand.
struct EngineChances {
    unsigned lost_before = 0;  ///< the connection breaks before the command is carried out
    unsigned lost_after = 0;   ///< it breaks between the commit and the answer
    unsigned slow = 0;         ///< its transaction stays open for slow_for
    unsigned refused = 0;  ///< nothing is done: its retries after serialization failures are spent
};

/// How often each fault came to a command, or to a commit of one.
struct EngineFaults {
    std::uint64_t lost_before = 0;
    std::uint64_t lost_after = 0;
    std::uint64_t slow = 0;
    std::uint64_t refused = 0;
    std::uint64_t disk_full = 0;
    std::uint64_t warned = 0;      ///< committed with a warning
    std::uint64_t taken_back = 0;  ///< of them, lost by a change of primary
    std::uint64_t late = 0;        ///< committed after a transaction with a higher number
    std::uint64_t cut_off = 0;     ///< of a request or an answer, by a cut
};

struct EngineTimes {
    std::chrono::milliseconds trip{2};         ///< of a request or an answer
    std::chrono::milliseconds slow_for{500};   ///< at most
    std::chrono::milliseconds notices{5'000};  ///< a cut, by the timeouts of the connection
};

class EngineModel {
public:
    /// All outlive the object. `links`: one for each box.
    EngineModel(const Clock& clock, Random& random, std::size_t links);
    ~EngineModel();
    EngineModel(const EngineModel&) = delete;
    EngineModel& operator=(const EngineModel&) = delete;

    [[nodiscard]] ports::ClusterEngine& link(std::size_t box);
    [[nodiscard]] SteadyTime step(SteadyTime now);
    [[nodiscard]] const EngineState& state() const { return state_; }
    [[nodiscard]] const EngineFaults& faults() const { return faults_; }
    /// That were begun.
    [[nodiscard]] std::uint64_t transactions() const { return last_transaction_; }

    EngineChances chances = {};
    EngineTimes times = {};

    void cut(std::size_t box, Cut how);
    /// What this link carries arrives when this is over; the connection survives it.
    void stall_link(std::size_t box, std::chrono::milliseconds length);
    /// The connection breaks, as when the box's process ends.
    void break_link(std::size_t box);
    /// The next KeepRules or SendMail of this box stays uncommitted as long.
    void hold(std::size_t box, bool held);
    /// Nothing is carried out, nor answered, for so long.
    void stall(std::chrono::milliseconds length);
    /// Another node is primary after `down`: every connection breaks, and commits that came with a
    /// warning are lost.
    void change_primary(std::chrono::milliseconds down);
    /// Without a synchronous standby for so long: each commit comes with a warning.
    void lose_standby(std::chrono::milliseconds length);
    void fill_disk(bool full) { disk_full_ = full; }
    /// Keeps the present state as a backup; restore() makes it the state again.
    void back_up() { backup_ = Backup{state_, last_transaction_}; }
    /// `is_closed`: a person has closed it before a box could enter.
    void restore(bool is_closed = false);
    /// It was restored, and the boxes have not put back all that they have.
    [[nodiscard]] bool is_forgetful() const {
        return state_.engine().life == forgetful_life_ || state_.is_doubted() ||
               !state_.all_have_put_back();
    }
    /// As EngineState::Row, also where that was forgotten.
    [[nodiscard]] bool is_decided(MessageId id) const {
        const auto row = state_.messages().find(id);
        return decided_.contains(id) || (row != state_.messages().end() && row->second.is_decided);
    }
    /// The engine is lost. Another one, which is empty, gets its place.
    void replace(std::string name);

private:
    class Link;
    friend class Link;

    void break_all();
    void notify(ports::EngineNotice notice, SteadyTime now);
    [[nodiscard]] bool is_up(SteadyTime now) const { return now >= up_at_; }
    [[nodiscard]] bool happens(unsigned of_a_thousand) {
        return random_.below(1'000) < of_a_thousand;
    }
    [[nodiscard]] std::chrono::milliseconds time_of_one();
    void commit(SteadyTime now, std::uint64_t number);

    const Clock& clock_;
    Random& random_;
    EngineState state_ = {};
    std::optional<EngineState> standby_ = {};  // where it is behind state_
    struct Backup {
        EngineState state = {};
        std::uint64_t last_transaction = 0;
    };
    std::optional<Backup> backup_ = {};
    std::string forgetful_life_ = {};    // as it was restored to
    std::set<MessageId> decided_ = {};   // before it was restored
    std::set<std::uint64_t> open_ = {};  // transactions
    std::uint64_t last_transaction_ = 0;
    SteadyTime up_at_ = {};
    SteadyTime standby_at_ = {};
    bool disk_full_ = false;
    std::uint64_t newest_ = 0;  // transaction that has committed
    std::uint64_t warned_ = 0;  // commits that the standby does not have
    EngineFaults faults_ = {};
    std::vector<std::unique_ptr<Link>> links_;
};

}  // namespace smsrack::test
