#include "src/dispatch/returns.hpp"

#include <utility>

namespace smsrack::dispatch {
namespace {

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
                 Lines& lines, DispatchStore& store, LineNews& news, GoOn go_on)
    : policy_(settings.uncertain),
      world_(world),
      desk_(desk),
      lines_(lines),
      store_(store),
      news_(news),
      go_on_(std::move(go_on)),
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
    const MessageId message = slot.message.id;
    const bool refused = done.begin_error.has_value();
    if (refused && done.begin_error->code == Errc::conflict) {
        // Cancelled or expired meanwhile; or a late answer said that this segment was taken, and
        // others are still to be sent.
        desk_.release(done.slot);
        store_.put_back(message);
        desk_.due.messages.at(world_.clock.wall());
        return;
    }
    if (refused && done.begin_error->code != Errc::quota_exhausted) {
        desk_.groups[slot.group].held_until = now + storage_pause;
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
        news_.refused(line, done.outcome.cause, *pause);
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
        go_on_(line);
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
    store_.end(std::move(ended.end));
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

/// The question stays open until all is decided: on a full disk nothing is decided twice.
void Returns::overdue(const OverdueUncertain& mail) {
    DueQuestion& doubts = desk_.due.doubts;
    const WallTime wall = world_.clock.wall();
    if (!mail.attempts || mail.attempts->empty() || policy_ == UncertainPolicy::hold) {
        (void)doubts.answered();
    }
    if (!mail.attempts) {
        return doubts.at(wall + storage_pause);
    }
    if (policy_ == UncertainPolicy::hold) {
        return;
    }
    for (const ports::UncertainAttempt& doubt : *mail.attempts) {
        const bool last = &doubt == &mail.attempts->back();
        if (policy_ == UncertainPolicy::resend) {
            store_.resend(doubt, last);
            desk_.due.messages.at(wall);
        } else {
            store_.end_doubt(Ends::given_up(doubt, wall), last);
        }
    }
    if (mail.attempts->size() == DispatchStore::doubts_limit) {
        doubts.at(wall + storage_pause);  // there may be more
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
