/// The message that a line sends, segment by segment, and the attempts of before that may still be answered.
///
/// A segment ends when both answers are there: the store's about the attempt, and the modem's about the
/// submit. The next segment begins after the end of this one is stored, and when the pace allows it.
/// Pure: the line speaks with modem and store.
/// Time:    steady, and the wall times that go with an attempt.
/// Threads: the line's thread.
/// Errors:  none; a step out of turn is a bug of the line (SMSRACK_CHECK).
/// Source:  [SMSEngine] one message of a line at a time.
#pragma once

#include "src/base/random.hpp"
#include "src/line/line_carried.hpp"
#include "src/ports/line.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace smsrack::line {

/// Pause after each segment whose PDU has left; longer or shorter by up to `jitter` of it.
struct Pace {
    std::chrono::milliseconds pause{0};
    double jitter = 0;
};

enum class RunState : std::uint8_t {
    empty,      ///< the line holds no message
    due,        ///< the segment begins as soon as what came in is read
    under_way,  ///< AT+CMGS and the commit of the attempt
    storing,    ///< the end of a segment is on its way to the store, and another segment follows
    resting,    ///< the next segment waits for the pace
};

enum class RunEvent : std::uint8_t {
    taken,
    adopted,  ///< its PDU has left already
    begun,
    given_back,  ///< what is left of the message goes back to dispatch
    more_follow,
    ended,
    stored,
    rested,
};

inline constexpr std::array run_rules{
    Rule{RunState::empty, RunEvent::taken, RunState::due},
    Rule{RunState::empty, RunEvent::adopted, RunState::under_way},
    Rule{RunState::due, RunEvent::begun, RunState::under_way},
    Rule{RunState::due, RunEvent::given_back, RunState::empty},
    Rule{RunState::under_way, RunEvent::more_follow, RunState::storing},
    Rule{RunState::under_way, RunEvent::ended, RunState::empty},
    Rule{RunState::storing, RunEvent::stored, RunState::resting},
    Rule{RunState::resting, RunEvent::rested, RunState::due},
    Rule{RunState::resting, RunEvent::given_back, RunState::empty},
};

/// The end of one segment.
struct SegmentEnd {
    ports::SegmentDone done = {};  ///< `returned` is false where another segment follows
    std::string diagnosis = {};
    WallTime begun_at = {};
    SteadyTime answered = {};
};

class SubmitRun {
public:
    /// `slots` and `random` outlive this object.
    SubmitRun(Pace pace, const queue::OutSlots& slots, Random& random)
        : pace_(pace), slots_(slots), random_(random) {}

    [[nodiscard]] RunState state() const { return state_; }
    [[nodiscard]] bool is_empty() const { return state_ == RunState::empty; }

    // -- the message; not while empty
    [[nodiscard]] const queue::OutSlot& message() const { return slots_[flight_.slot]; }
    [[nodiscard]] std::uint8_t segment() const { return flight_.segment; }
    [[nodiscard]] bool has_more() const { return segment() + 1U < message().pdus.size(); }
    /// Nothing of the message has left, and its time is over.
    [[nodiscard]] bool is_late(const Clock& clock) const;

    void take(queue::SlotNumber slot);
    /// Returns the number to pass to attempted(). `counted`: nullopt if the SIM has no quota.
    [[nodiscard]] std::uint64_t begin(SteadyTime now, WallTime at,
                                      const std::optional<SimQuota::Counted>& counted);
    [[nodiscard]] ports::SegmentDone give_back();
    void attempted(std::uint64_t number, const Result<AttemptId>& attempt);
    void submitted(const ports::SubmitDone& submit, SteadyTime answered);
    /// nullopt until both answers are there; then the end, once.
    [[nodiscard]] std::optional<SegmentEnd> take_end(SteadyTime now);
    void stored() { apply(RunEvent::stored); }
    /// True: the segment that rested is due. `at_once`: it need not wait for the pace.
    [[nodiscard]] bool rest_is_over(SteadyTime now, bool at_once);
    [[nodiscard]] SteadyTime deadline() const {
        return state_ == RunState::resting ? rests_until_ : never;
    }

    // -- the segment under way
    [[nodiscard]] bool is_answered() const { return flight_.submit.has_value(); }
    /// The store has not answered yet.
    [[nodiscard]] bool lacks_attempt() const {
        return state_ == RunState::under_way && !flight_.attempt;
    }
    /// nullopt if it is not on disk, or not yet.
    [[nodiscard]] std::optional<AttemptId> attempt() const;
    [[nodiscard]] const std::optional<SimQuota::Counted>& counted() const {
        return flight_.counted;
    }
    /// Its attempt is on disk and the network has not answered: another process can wait for that.
    [[nodiscard]] bool has_left() const;

    // -- attempts of before
    /// The attempt that the diagnosis is about; 0: none, or it goes with the end of this segment.
    [[nodiscard]] AttemptId diagnosed(const std::string& text);
    /// The attempt that was given up last, whose answer has come; once.
    [[nodiscard]] std::optional<GivenUp> take_given_up() {
        return std::exchange(given_up_, std::nullopt);
    }
    /// One of an earlier process, which may be answered until this one gives up on another.
    void gave_up_before(const std::optional<GivenUp>& attempt);

    // -- from one process to the next
    void carry(LineCarried& carried) const;
    /// `slot`: where the message in flight is now; nullopt: there is none.
    void adopt(const LineCarried& carried, std::optional<queue::SlotNumber> slot);

private:
    /// Meaningless while empty.
    struct Flight {
        queue::SlotNumber slot = 0;
        std::uint8_t segment = 0;
        std::optional<Result<AttemptId>> attempt = {};
        std::optional<ports::SubmitDone> submit = {};
        std::string diagnosis = {};  // that came before the attempt was known
        std::optional<SimQuota::Counted> counted = {};
        SteadyTime begun = {};
        WallTime begun_at = {};    // the same moment
        SteadyTime answered = {};  // with submit
    };

    void apply(RunEvent event);
    [[nodiscard]] std::chrono::nanoseconds rest(SteadyTime now);

    const Pace pace_;
    const queue::OutSlots& slots_;
    Random& random_;
    RunState state_ = RunState::empty;
    Flight flight_;
    std::uint64_t number_ = 0;  // of the attempt begun last
    SteadyTime rests_until_ = {};
    AttemptId troubled_ = {};          // the last one that was not accepted; 0: diagnosed, or none
    std::optional<GivenUp> given_up_;  // its answer may still come
};

}  // namespace smsrack::line
