#include "src/dispatch/dispatch_store.hpp"

#include <utility>

namespace smsrack::dispatch {
namespace {

/// Scheduled messages that become queued with one question.
constexpr std::size_t due_limit = 64;
/// Messages that a step looks at; about ten milliseconds of the writing thread.
constexpr std::size_t step_limit = 256;

}  // namespace

void DispatchStore::read_queued(std::uint16_t group, GroupId id, Level level, EventSeq after,
                                std::size_t limit) {
    store_.ask([id, level, after, limit](
                   ports::StoreReader& reader) { return reader.queued(id, level, after, limit); },
               [this, group, level, limit](Result<std::vector<OutMessage>> messages) {
                   mailbox_.push(Loaded{group, level, limit, std::move(messages)});
               });
}

void DispatchStore::take_due(WallTime now, std::vector<ports::DueWishes::Retries> wishes) {
    store_.post(ports::TakeDue{.now = now, .wishes = {.scheduled = due_limit, .retries = wishes}},
                [this, wishes](Result<std::vector<OutMessage>> messages) mutable {
                    mailbox_.push(DueTaken{std::move(wishes), std::move(messages)});
                });
}

void DispatchStore::read_next_due(WallTime after) {
    store_.ask(
        [after](ports::StoreReader& reader) { return reader.next_due(after); },
        [this](Result<std::optional<WallTime>> at) { mailbox_.push(NextDue{std::move(at)}); });
}

void DispatchStore::read_doubts(WallTime overdue_at) {
    store_.ask(
        [overdue_at](ports::StoreReader& reader) {
            return reader.uncertain(overdue_at, doubts_limit);
        },
        [this](Result<std::vector<ports::UncertainAttempt>> attempts) {
            mailbox_.push(OverdueUncertain{std::move(attempts)});
        });
}

void DispatchStore::end_doubt(ports::EndAttempt end, bool last) {
    store_.post(std::move(end), [this, last](const Result<ports::AttemptApplied>&) {
        if (last) {
            mailbox_.push(DoubtsDecided{});
        }
    });
}

void DispatchStore::resend(const ports::UncertainAttempt& doubt, bool last) {
    store_.post(
        ports::ResendSegment{.message = doubt.message, .doubt = doubt.attempt, .at = clock_.wall()},
        [this, last](const Result<>&) {
            if (last) {
                mailbox_.push(DoubtsDecided{});
            }
        });
}

void DispatchStore::finish(queue::SlotNumber slot, MessageId message, MessageEvent event,
                           std::string detail) {
    store_.post(
        ports::FinishMessage{
            .message = message, .event = event, .detail = std::move(detail), .at = clock_.wall()},
        [this, slot](const Result<MessageState>&) { mailbox_.push(Finished{slot}); });
}

void DispatchStore::restart(MessageId message, std::string detail, WallTime due_at) {
    store_.post(ports::RestartMessage{
        .message = message, .detail = std::move(detail), .due_at = due_at, .at = clock_.wall()});
}

void DispatchStore::put_off(MessageId message, WallTime until) {
    control_->post(ports::PutOff{.message = message, .until = until, .at = clock_.wall()},
                   [this](const Result<std::optional<WallTime>>& due) {
                       if (due && *due) {
                           mailbox_.push(DueHint{**due});
                       }
                   });
}

void DispatchStore::put_back(MessageId message) {
    store_.post(ports::PutBack{.message = message, .at = clock_.wall()});
}

void DispatchStore::expire_overdue() {
    store_.post(ports::ExpireOverdue{.now = clock_.wall(), .limit = step_limit},
                [this](Result<std::size_t> expired) {
                    if (expired && *expired == step_limit) {
                        mailbox_.push(SweepOn{});
                    }
                });
}

void DispatchStore::cancel_batches() {
    if (control_ == nullptr) {
        return;
    }
    control_->post(ports::CancelSome{.at = clock_.wall(), .limit = step_limit},
                   [this](Result<bool> more) {
                       if (more && *more) {
                           mailbox_.push(CancelOn{});
                       }
                   });
}

void DispatchStore::move_times(const ClockMove& move) {
    store_.post(ports::MoveTimes{move}, [this](Result<std::size_t> messages) {
        mailbox_.push(TimesMoved{std::move(messages)});
    });
}

void DispatchStore::keep_event(EventType type, std::string modem, std::string detail) {
    store_.post(ports::KeepEvent{{.at = clock_.wall(),
                                  .type = type,
                                  .modem = std::move(modem),
                                  .detail = std::move(detail)}});
}

void DispatchStore::answer_gate(const std::string& modem, bool keep, ports::GateAnswer answer,
                                ports::GateDone done) {
    if (rack_ == nullptr || !keep) {
        if (done) {
            done(answer);
        }
        return;
    }
    rack_->post(ports::KeepGate{modem, answer.gate == ports::LineGate::blocked, clock_.wall()},
                [done = std::move(done), answer](const Result<>& kept) mutable {
                    if (!done) {
                        return;
                    }
                    if (kept) {
                        return done(answer);
                    }
                    Error error = kept.error();
                    error.context = "the modem is " + std::string(line_gate_name(answer.gate)) +
                                    " now, but would not be after a restart: " + error.context;
                    done(std::unexpected(std::move(error)));
                });
}

}  // namespace smsrack::dispatch
