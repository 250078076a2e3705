#include "src/line/submit_run.hpp"

#include "src/base/check.hpp"

#include <utility>

namespace smsrack::line {

void SubmitRun::apply(RunEvent event) {
    const auto to = next(run_rules, state_, event);
    SMSRACK_CHECK(to.has_value());
    state_ = *to;
}

/// The machine was suspended, or a VM paused, after the message was given.
bool SubmitRun::is_late(const Clock& clock) const {
    return segment() == message().first_segment && is_over(message().message, clock);
}

void SubmitRun::take(queue::SlotNumber slot) {
    apply(RunEvent::taken);
    flight_ = {.slot = slot, .segment = slots_[slot].first_segment};
}

std::uint64_t SubmitRun::begin(SteadyTime now, WallTime at,
                               const std::optional<SimQuota::Counted>& counted) {
    apply(RunEvent::begun);
    flight_.begun = now;
    flight_.begun_at = at;
    flight_.counted = counted;
    return ++number_;
}

ports::SegmentDone SubmitRun::give_back() {
    apply(RunEvent::given_back);
    return {.slot = flight_.slot,
            .segment = flight_.segment,
            .outcome = {.kind = OutcomeKind::not_sent}};
}

void SubmitRun::attempted(std::uint64_t number, const Result<AttemptId>& attempt) {
    SMSRACK_CHECK(state_ == RunState::under_way && number == number_);
    flight_.attempt = attempt;
}

void SubmitRun::submitted(const ports::SubmitDone& submit, SteadyTime answered) {
    SMSRACK_CHECK(state_ == RunState::under_way);
    flight_.submit = submit;
    flight_.answered = answered;
}

std::optional<SegmentEnd> SubmitRun::take_end(SteadyTime now) {
    if (state_ != RunState::under_way || !flight_.attempt || !flight_.submit) {
        return std::nullopt;
    }
    const SubmitOutcome& outcome = flight_.submit->outcome;
    const bool accepted = outcome.kind == OutcomeKind::accepted;
    const bool more = accepted && has_more();
    SegmentEnd end{.done = {.slot = flight_.slot,
                            .segment = flight_.segment,
                            .attempt = attempt().value_or(AttemptId{}),
                            .outcome = outcome,
                            .pdu_sent = flight_.submit->pdu_sent,
                            .took = flight_.answered - flight_.begun,
                            .returned = !more},
                   .diagnosis = std::move(flight_.diagnosis),
                   .begun_at = flight_.begun_at,
                   .answered = flight_.answered};
    if (!flight_.attempt->has_value()) {
        end.done.begin_error = flight_.attempt->error();
    }
    if (outcome.kind == OutcomeKind::unknown) {
        given_up_ =
            GivenUp{end.done.attempt, message().message.id, flight_.segment, flight_.begun_at};
    }
    if (!accepted) {
        troubled_ = end.done.attempt;
    }
    if (end.done.pdu_sent) {
        end.done.rest = rest(now);
    }
    apply(more ? RunEvent::more_follow : RunEvent::ended);
    flight_ = {.slot = flight_.slot, .segment = static_cast<std::uint8_t>(flight_.segment + 1)};
    return end;
}

std::chrono::nanoseconds SubmitRun::rest(SteadyTime now) {
    if (pace_.pause.count() == 0) {
        return {};
    }
    constexpr double half = 0.5 * 18'446'744'073'709'551'616.0;           // of what Random gives
    const double swing = static_cast<double>(random_.next()) / half - 1;  // -1 to 1
    const auto rest = std::chrono::duration_cast<std::chrono::nanoseconds>(
        pace_.pause * (1 + pace_.jitter * swing));
    rests_until_ = now + rest;
    return rest;
}

bool SubmitRun::rest_is_over(SteadyTime now, bool at_once) {
    if (state_ != RunState::resting || (now < rests_until_ && !at_once)) {
        return false;
    }
    apply(RunEvent::rested);
    return true;
}

std::optional<AttemptId> SubmitRun::attempt() const {
    return flight_.attempt && flight_.attempt->has_value() ? std::optional(**flight_.attempt)
                                                           : std::nullopt;
}

bool SubmitRun::has_left() const {
    return state_ == RunState::under_way && attempt() && !is_answered();
}

AttemptId SubmitRun::diagnosed(const std::string& text) {
    if (state_ == RunState::under_way && is_answered()) {
        flight_.diagnosis = text;
        return {};
    }
    return std::exchange(troubled_, {});
}

void SubmitRun::gave_up_before(const std::optional<GivenUp>& attempt) {
    if (!given_up_) {
        given_up_ = attempt;
    }
}

void SubmitRun::carry(LineCarried& carried) const {
    carried.given_up = given_up_;
    carried.rests_until = rests_until_;
    if (has_left()) {
        carried.in_hand = SegmentCarried{.content = message(),
                                         .segment = flight_.segment,
                                         .attempt = *attempt(),
                                         .begun = flight_.begun,
                                         .begun_at = flight_.begun_at};
    }
}

void SubmitRun::adopt(const LineCarried& carried, std::optional<queue::SlotNumber> slot) {
    SMSRACK_CHECK(slot.has_value() == carried.in_hand.has_value());
    given_up_ = carried.given_up;
    rests_until_ = carried.rests_until;
    if (slot) {
        apply(RunEvent::adopted);
        flight_ = {.slot = *slot,
                   .segment = carried.in_hand->segment,
                   .attempt = carried.in_hand->attempt,
                   .begun = carried.in_hand->begun,
                   .begun_at = carried.in_hand->begun_at};
    }
}

}  // namespace smsrack::line
