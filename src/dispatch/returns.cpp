#include "src/dispatch/returns.hpp"

#include <utility>

namespace smsrack::dispatch {
namespace {

/// Rows of one answer: what is decided about them is written at once.
constexpr std::size_t doubts_limit = 64;

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

}  // namespace

Returns::Returns(const RetrySettings& settings, const DispatchWorld& world, Desk& desk,
                 Lines& lines, DispatchBox& mailbox, LineCalls calls)
    : policy_(settings.uncertain),
      world_(world),
      desk_(desk),
      lines_(lines),
      mailbox_(mailbox),
      calls_(std::move(calls)),
      ends_(world.errors, settings, world.random) {}

void Returns::segment_ended(ModemId line, const ports::SegmentDone& done, SteadyTime now) {
    if (done.returned && !done.next_slot) {
        lines_.take_back(line);
    }
    if (done.attempt == AttemptId{}) {
        not_begun(done, now);
    } else {
        ended(line, done, now);
    }
    if (done.rest.count() > 0) {
        lines_.rest(line, now + done.rest);
    }
}

/// No attempt was written, so nothing can have left: the message is as it was.
void Returns::not_begun(const ports::SegmentDone& done, SteadyTime now) {
    queue::OutSlot& slot = desk_[done.slot];
    const bool refused = done.begin_error.has_value();
    if (refused && done.begin_error->code == Errc::conflict) {
        // Cancelled or expired meanwhile; or a late answer said that this segment was taken, and
        // others are still to be sent.
        if (done.begin_error->detail == ports::was_replaced) {
            desk_.read_again(slot.group);
        }
        const WallTime wall = world_.clock.wall();
        world_.store.post(ports::PutBack{.message = slot.message.id, .at = wall});
        desk_.due.messages.at(wall);
        return desk_.release(done.slot);
    }
    if (refused && done.begin_error->code != Errc::quota_exhausted) {
        desk_.groups[slot.group].held_until = now + storage_pause;
        if (slot.message.attempts == 0 && done.segment == 0) {
            // The store has it, or it was about to and could not: that is read then.
            desk_.read_again(slot.group);
            return desk_.release(done.slot);
        }
    }
    slot.first_segment = done.segment;
    desk_.wait_again(done.slot, now);
}

void Returns::count(ModemId line, const ports::SegmentDone& done) {
    const OutcomeKind kind = done.outcome.kind;
    world_.stats.add(counter_of(kind));
    if (kind == OutcomeKind::accepted) {
        world_.stats.observe(stats::Timing::send, done.took);
    }
    if (kind == OutcomeKind::accepted || kind == OutcomeKind::refused) {
        desk_[done.slot].message.served += done.took;
        world_.flow.served(desk_.groups[lines_[line].group].id, done.took + done.rest,
                           kind == OutcomeKind::accepted);
    }
}

void Returns::ended(ModemId line, const ports::SegmentDone& done, SteadyTime now) {
    count(line, done);
    if (const auto pause = lines_.ended(line, done.outcome, now)) {
        calls_.cools(line, done.outcome.cause, *pause);
    }
    OutMessage& message = desk_[done.slot].message;
    const WallTime wall = world_.clock.wall();
    Ended ended = ends_.submitted(done, message, wall);
    lines_.rest(line, now + ended.line_rest);
    if (done.returned) {  // else the line still has it
        desk_.moves.set_right(message);
    }
    if (ended.end.event == MessageEvent::accepted && done.returned) {
        world_.flow.sent(message, wall - message.created_at, desk_.holds.has_held(message));
    } else if (ended.end.event == MessageEvent::accepted) {
        message.pinned_sim = lines_[line].sim;
    }
    write(std::move(ended));
    if (done.returned) {
        desk_.release(done.slot);
    } else {
        calls_.go_on(line);
    }
}

void Returns::write(Ended ended) {
    const ports::EndAttempt& end = ended.end;
    if (ended.is_bug) {
        world_.log.error("submit_bug",
                         {{"message", end.message.value},
                          {"code", end.outcome.cause.code},
                          {"meaning", world_.errors.info(end.outcome.cause).meaning}});
    }
    if (ended.is_retry) {
        world_.stats.add(stats::Counter::retries);
    }
    if (end.due_at) {
        Due& due = desk_.due;
        const bool is_doubt = end.event == MessageEvent::silence;
        (is_doubt ? due.doubts : due.messages).at(*end.due_at);
    }
    const MessageId message = end.message;
    world_.store.post(std::move(ended.end),
                      [&log = world_.log, message](const Result<ports::AttemptApplied>& kept) {
                          if (!kept && kept.error().code == Errc::storage) {
                              log.error("end_not_kept", {{"message", message.value},
                                                         {"error", kept.error().context}});
                          }
                      });
}

void Returns::late_answer(const ports::LateSegment& late) {
    world_.stats.add(stats::Counter::late_answers);
    found({.attempt = late.attempt, .message = late.message, .segment = late.segment}, late.outcome,
          "late_answer");
}

void Returns::earlier_answer(ModemId line, const SubmitOutcome& outcome) {
    if (const auto attempt = lines_.take_left_open(line)) {
        found(*attempt, outcome, "found_at_start");
    }
}

void Returns::found(const ports::UncertainAttempt& attempt, const SubmitOutcome& outcome,
                    std::string detail) {
    if (auto ended = ends_.found(attempt, outcome, std::move(detail), world_.clock.wall())) {
        write(std::move(*ended));
    }
}

void Returns::ask_for_doubts(WallTime now) {
    (void)desk_.due.doubts.ask(now);
    world_.store.ask(
        [now](ports::StoreReader& reader) { return reader.uncertain(now, doubts_limit); },
        [this](Result<std::vector<ports::UncertainAttempt>> attempts) {
            mailbox_.push(OverdueUncertain{std::move(attempts)});
        });
}

void Returns::overdue(const OverdueUncertain& mail) {
    DueQuestion& doubts = desk_.due.doubts;
    const WallTime soon = world_.clock.wall() + storage_pause;
    if (!mail.attempts || mail.attempts->empty() || policy_ == UncertainPolicy::hold) {
        (void)doubts.answered();
        return mail.attempts ? void() : doubts.at(soon);
    }
    for (const ports::UncertainAttempt& doubt : *mail.attempts) {
        decide(doubt, &doubt == &mail.attempts->back());
    }
    if (mail.attempts->size() == doubts_limit) {
        doubts.at(soon);  // there may be more
    }
}

void Returns::decide(const ports::UncertainAttempt& doubt, bool last) {
    const WallTime wall = world_.clock.wall();
    const auto decided = [this, last](const auto& /*kept*/) {
        if (last) {
            mailbox_.push(DoubtsDecided{});
        }
    };
    if (policy_ == UncertainPolicy::resend) {
        world_.store.post(
            ports::ResendSegment{.message = doubt.message, .doubt = doubt.attempt, .at = wall},
            decided);
        desk_.due.messages.at(wall);
    } else {
        world_.store.post(Ends::given_up(doubt, wall), decided);
    }
}

void Returns::drop_lost(SteadyTime now) {
    const bool any_may_come = lines_.may_bring_any(now);
    const auto may_come = [&](SimId sim) { return any_may_come || lines_.has(sim); };
    for (const queue::SlotNumber slot : desk_.begun.give_up(now, may_come)) {
        if (policy_ == UncertainPolicy::resend) {
            desk_.restart(slot, "sim_lost", world_.clock.wall());
        } else {
            desk_.finish(slot, MessageEvent::give_up, "sim_lost");
        }
    }
}

}  // namespace smsrack::dispatch
