/// The lines as the dispatcher sees them: link, gate, rest, and the message in flight; which of
/// them are free.
///
/// A line is free while its link is ready and it holds no message. A free line may still have to
/// rest, or its gate may be shut.
/// Time:    steady; the caller's now.
/// Threads: the dispatch thread.
/// Source:  [EBAS] listener; src/ports/line_gate.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/ids.hpp"
#include "src/dispatch/cooling.hpp"
#include "src/line/sim_quota.hpp"
#include "src/ports/line_gate.hpp"
#include "src/ports/store_reader.hpp"
#include "src/sms/outcome.hpp"

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

namespace smsrack::dispatch {

enum class LinkSeen : std::uint8_t {
    unmet,  ///< not ready yet in this run, so its SIM is not known
    ready,
    lost,
};

struct Line {
    std::uint16_t group = 0;  ///< index
    LinkSeen link = LinkSeen::unmet;
    ports::LineGate gate = ports::LineGate::open;
    SimId sim = {};
    const line::SimQuota* quota = nullptr;  ///< of that SIM; null: it has none
    bool holds = false;                     ///< a message is in flight
    SteadyTime rests_until = SteadyTime::min();
    std::optional<SteadyTime> cools_until = {};
    std::optional<ports::UncertainAttempt> left_open = {};  ///< by an earlier process

    /// Its link is ready and its gate open; it may be busy or rest.
    [[nodiscard]] bool works() const {
        return link == LinkSeen::ready && gate == ports::LineGate::open;
    }
    /// It is idle and need not rest.
    [[nodiscard]] bool may_take(SteadyTime now) const {
        return link == LinkSeen::ready && !holds && now >= rests_until && !cools_until;
    }
};

class Lines {
public:
    /// `errors` outlives the object.
    Lines(const CoolingSettings& cooling, const ErrorTable& errors) : cooling_(cooling, errors) {}

    // -- before the threads start
    void add_group() { free_.emplace_back(); }
    /// In order of their ids.
    void add(std::uint16_t group, std::optional<ports::UncertainAttempt> left_open);
    void set_quota(ModemId id, const line::SimQuota* quota) { at(id).quota = quota; }
    void begin_blocked(ModemId id) { at(id).gate = ports::LineGate::blocked; }
    /// Its message was in flight in the run before.
    void adopt(ModemId id, SimId sim);
    void adopt(const std::vector<CoolingCarried>& cooling) { cooling_.adopt(cooling); }
    [[nodiscard]] std::vector<CoolingCarried> cooling() const { return cooling_.carried(); }

    [[nodiscard]] const Line& operator[](ModemId id) const { return lines_[id.value]; }
    [[nodiscard]] std::size_t size() const { return lines_.size(); }
    /// Of this group, the one that is idle for the longest time first.
    [[nodiscard]] const std::deque<ModemId>& free(std::uint16_t group) const {
        return free_[group];
    }
    /// Of this group, in order of their ids.
    [[nodiscard]] std::vector<ModemId> ready(std::uint16_t group) const;

    // -- the link
    /// The run began; the first call counts.
    void begin(SteadyTime now) { began_ = began_.value_or(now); }
    /// Gives until when its SIM must cool still.
    [[nodiscard]] std::optional<SteadyTime> become_ready(ModemId id, SimId sim, SteadyTime now);
    /// Gives whether it was cooling: that begins again with the SIM.
    bool lose(ModemId id);

    // -- the message in flight
    void give(ModemId id);
    void take_back(ModemId id);
    void rest(ModemId id, SteadyTime until);
    [[nodiscard]] std::optional<ports::UncertainAttempt> take_left_open(ModemId id) {
        return std::exchange(at(id).left_open, std::nullopt);
    }

    // -- cooling
    /// A submit has ended. Gives how long the SIM cools, if that begins now.
    [[nodiscard]] std::optional<std::chrono::milliseconds> ended(ModemId id,
                                                                 const SubmitOutcome& outcome,
                                                                 SteadyTime now);
    /// Those that have cooled enough.
    [[nodiscard]] std::vector<ModemId> take_cooled(SteadyTime now);

    // -- the gate
    struct GateChange {
        ports::LineGate from = ports::LineGate::open;
        ports::LineGate to = ports::LineGate::open;
    };
    /// nullopt: the gate's table refuses the order.
    [[nodiscard]] std::optional<GateChange> order(ModemId id, ports::GateOrder order);
    /// Shut lines that hold nothing any more, each once after the gate was shut.
    template <std::predicate<ModemId> Holds>
    [[nodiscard]] std::vector<ModemId> take_emptied(Holds holds);

    // -- questions over all lines
    /// A line with this SIM is ready.
    [[nodiscard]] bool has(SimId sim) const;
    /// The line with this SIM, of any group, if it may take a message.
    [[nodiscard]] std::optional<ModemId> idle_with(SimId sim, SteadyTime now) const;
    /// A line that was not ready yet in this run may bring any SIM.
    [[nodiscard]] bool may_bring_any(SteadyTime now) const;
    /// Segments of one message.
    struct Load {
        std::uint64_t recipient = 0;  ///< hash
        std::uint32_t segments = 1;
    };
    /// Another line of the group, with this SIM, or nullopt: with any, will send it; it may be busy.
    [[nodiscard]] bool other_can_send(ModemId than, std::optional<SimId> sim,
                                      const Load& load) const;
    /// A line of the group with this SIM will send it; it may be busy.
    [[nodiscard]] bool can_send(std::uint16_t group, SimId sim, const Load& load) const;
    /// Lines of the group work, and each has a SIM that has no recipient left for this one.
    [[nodiscard]] bool none_takes(std::uint16_t group, std::uint64_t recipient) const;
    /// When the next rest or pause ends.
    [[nodiscard]] SteadyTime deadline(SteadyTime now) const;

private:
    [[nodiscard]] Line& at(ModemId id) { return lines_.at(id.value); }
    [[nodiscard]] static ModemId id_of(std::size_t index) {
        return {static_cast<std::uint16_t>(index)};
    }

    std::vector<Line> lines_;
    std::vector<std::deque<ModemId>> free_;  // by group
    std::vector<ModemId> draining_;          // their gate was shut while they held something
    Cooling cooling_;
    std::optional<SteadyTime> began_ = {};
};

template <std::predicate<ModemId> Holds>
std::vector<ModemId> Lines::take_emptied(Holds holds) {
    std::vector<ModemId> emptied;
    std::erase_if(draining_, [&](ModemId id) {
        if (holds(id)) {
            return false;
        }
        emptied.push_back(id);
        return true;
    });
    return emptied;
}

}  // namespace smsrack::dispatch
