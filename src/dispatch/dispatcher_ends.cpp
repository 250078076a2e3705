// The dispatcher's way back: what a line said of a segment -> what follows, written to the store.
#include "src/base/check.hpp"
#include "src/dispatch/dispatcher.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::dispatch {
namespace {

using namespace std::chrono_literals;

constexpr auto line_rest =
    10s;  // after a fault of its modem or SIM, so that another line takes over
constexpr auto network_rest =
    3s;  // a congested cell; some recipients' networks answer so too, and must not stop the line
constexpr auto storage_pause = 1s;  // before the store is asked again after it refused

stats::Counter counter_of(OutcomeKind kind) {
    switch (kind) {
        case OutcomeKind::accepted:
            return stats::Counter::submits_accepted;
        case OutcomeKind::refused:
            return stats::Counter::submits_refused;
        case OutcomeKind::not_sent:
            return stats::Counter::submits_not_sent;
        case OutcomeKind::open:
        case OutcomeKind::unknown:
            break;
    }
    return stats::Counter::submits_unknown;
}

std::chrono::milliseconds rest_after(const Verdict& verdict) {
    if (!verdict.rest_line) {
        return 0ms;
    }
    return verdict.cause_class == CauseClass::network ? network_rest : line_rest;
}

}  // namespace

void Dispatcher::on(SegmentEnded& mail) {
    Line& line = lines_.at(mail.line.value);
    ports::SegmentDone& done = mail.done;
    const bool free = done.returned && !done.next_slot;
    if (free) {
        line.holds = false;
        if (line.ready) {
            groups_[line.group].free_lines.push_back(mail.line);
        }
    }
    if (done.attempt.value == 0) {
        not_begun(done);
    } else {
        world_.stats.add(counter_of(done.outcome.kind));
        if (done.outcome.kind == OutcomeKind::accepted) {
            world_.stats.observe(stats::Timing::send, done.took);
        }
        const OutcomeKind kind = done.outcome.kind;
        if (kind == OutcomeKind::accepted || kind == OutcomeKind::refused) {
            world_.slots[done.slot].message.served += done.took;
            world_.flow.served(groups_[line.group].id, done.took + done.rest,
                               kind == OutcomeKind::accepted);
        }
        note_refusals(mail.line, done.outcome);
        line.rests_until = std::max(line.rests_until, now_ + apply(done, mail.line));
    }
    if (done.rest.count() > 0) {
        line.rests_until = std::max(line.rests_until, now_ + done.rest);
    }
    if (free) {
        in_hand_.fetch_sub(1, std::memory_order_acq_rel);
    }
}

/// No attempt was written, so nothing can have left: the message is as it was.
void Dispatcher::not_begun(ports::SegmentDone& done) {
    queue::OutSlot& slot = world_.slots[done.slot];
    const MessageId message = slot.message.id;
    const bool end_waits = std::ranges::any_of(ends_not_kept_, [message](const auto& end) {
        return end.message == message;  // for the store the segment before is still on a line
    });
    if (done.begin_error && done.begin_error->code == Errc::conflict && !end_waits) {
        // Cancelled or expired meanwhile; or a late answer said that this segment was taken, and others are still to go.
        release(done.slot);
        world_.store.put_back(message, world_.clock.wall());
        due_at(world_.clock.wall());
        return;
    }
    if (done.begin_error && done.begin_error->code != Errc::quota_exhausted) {
        groups_[slot.group].held_until = now_ + storage_pause;
    }
    slot.first_segment = done.segment;
    wait_again(done.slot);
}

/// Gives how long the line is to rest.
std::chrono::milliseconds Dispatcher::apply(const ports::SegmentDone& done, ModemId line) {
    OutMessage& message = world_.slots[done.slot].message;
    Verdict verdict = judge({.outcome = done.outcome,
                             .pdu_sent = done.pdu_sent,
                             .segment = done.segment,
                             .failures = message.failures,
                             .past = message.past},
                            world_.errors, settings_.retry, world_.random);
    log_bug(verdict, done.outcome.cause, message.id);
    const WallTime wall = world_.clock.wall();
    if (done.returned) {  // else the line still has it
        set_right(message);
    }
    ports::AttemptEnd end{.attempt = done.attempt,
                          .message = message.id,
                          .segment = done.segment,
                          .outcome = done.outcome,
                          .event = verdict.event,
                          .at = wall,
                          .counts_as_failure = verdict.counts_as_failure,
                          .ends_message = verdict.ends_message,
                          .detail = std::move(verdict.detail)};
    if (verdict.event == MessageEvent::silence) {
        end.outcome.kind = OutcomeKind::unknown;
    }
    if (verdict.due_in) {
        end.due_at = wall + *verdict.due_in;
        if (verdict.event == MessageEvent::silence) {
            next_overdue_ = std::min(next_overdue_.value_or(*end.due_at), *end.due_at);
        } else {
            world_.stats.add(stats::Counter::retries);
            due_at(*end.due_at);
        }
    }
    if (verdict.event == MessageEvent::accepted) {
        if (done.returned) {
            world_.flow.sent(message, wall - message.created_at, waited_for_a_person(message));
        } else {
            message.pinned_sim = lines_.at(line.value).sim;
        }
    }
    keep_end(std::move(end));
    if (done.returned) {
        release(done.slot);
    } else {
        lines_.at(line.value).line->go_on();
    }
    return rest_after(verdict);
}

/// The modem or the network says that a PDU of ours is wrong: somebody has to hear of it.
void Dispatcher::log_bug(const Verdict& verdict, Cause cause, MessageId message) {
    if (verdict.cause_class == CauseClass::bug) {
        world_.log.error("submit_bug", {{"message", message.value},
                                        {"code", cause.code},
                                        {"meaning", world_.errors.info(cause).meaning}});
    }
}

/// Writes it; a full disk only delays that: the attempt stays open on the disk until it is known.
void Dispatcher::keep_end(ports::AttemptEnd end) {
    ports::AttemptEnd copy = end;
    world_.store.end_attempt(std::move(end), [this, moves = moves_.size(), copy = std::move(copy)](
                                                 Result<ports::AttemptApplied> applied) mutable {
        if (!applied && applied.error().code == Errc::storage) {
            mailbox_.push(EndNotKept{std::move(copy), moves});
        }
    });
}

void Dispatcher::on(EndNotKept& mail) {
    for (std::size_t i = mail.moves; i < moves_.size(); ++i) {
        move_end(mail.end, moves_[i]);
    }
    ends_not_kept_.push_back(
        std::move(mail.end));  // at most one a line: no attempt begins while the store refuses
    next_retry_of_ends_ = now_ + storage_pause;
}

void Dispatcher::on(const LateAnswered& mail) {
    world_.stats.add(stats::Counter::late_answers);
    resolve(
        {.attempt = mail.late.attempt, .message = mail.late.message, .segment = mail.late.segment},
        mail.late.outcome, "late_answer");
}

void Dispatcher::on(const EarlierAnswered& mail) {
    Line& line = lines_.at(mail.line.value);
    if (const auto attempt = std::exchange(line.left_open, std::nullopt)) {
        resolve(*attempt, mail.outcome, "found_at_start");
    }
}

/// Evidence about an attempt that was unknown.
void Dispatcher::resolve(const ports::UncertainAttempt& attempt, const SubmitOutcome& outcome,
                         std::string detail) {
    if (outcome.kind == OutcomeKind::unknown || outcome.kind == OutcomeKind::open) {
        return;
    }
    Verdict verdict =
        judge({.outcome = outcome, .pdu_sent = true, .segment = attempt.segment, .in_doubt = true},
              world_.errors, settings_.retry, world_.random);
    log_bug(verdict, outcome.cause, attempt.message);
    if (verdict.event == MessageEvent::silence) {
        return;  // an ambiguous code: as unknown as before
    }
    const WallTime wall = world_.clock.wall();
    // Whatever is left to send of the message goes on: at once, or after the pause of the verdict.
    const WallTime next = wall + verdict.due_in.value_or(0ms);
    keep_end({.attempt = attempt.attempt,
              .message = attempt.message,
              .segment = attempt.segment,
              .outcome = outcome,
              .event = verdict.event,
              .at = wall,
              .due_at = next,
              .counts_as_failure = verdict.counts_as_failure,
              .ends_message = verdict.ends_message,
              .detail = std::move(detail)});
    due_at(next);
}

/// The outcome stayed unknown for too long.
void Dispatcher::apply_policy(const ports::UncertainAttempt& attempt) {
    const WallTime wall = world_.clock.wall();
    switch (settings_.retry.uncertain) {
        case UncertainPolicy::hold:
            return;
        case UncertainPolicy::report:
            keep_end({.attempt = attempt.attempt,
                      .message = attempt.message,
                      .segment = attempt.segment,
                      .outcome = {.kind = OutcomeKind::unknown},
                      .event = MessageEvent::give_up,
                      .at = wall,
                      .ends_message = true,
                      .detail = "outcome_unknown"});
            return;
        case UncertainPolicy::resend:
            world_.store.resend(attempt.message, attempt.attempt, wall, [](auto) {});
            due_at(wall);
            return;
    }
}

}  // namespace smsrack::dispatch
