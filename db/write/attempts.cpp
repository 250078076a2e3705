#include "db/write/attempts.hpp"

#include "db/read/message_record.hpp"
#include "db/read/recipient_sims.hpp"
#include "db/read/report_candidates.hpp"
#include "db/upkeep/lifecycle.hpp"
#include "db/write/fleet_places.hpp"
#include "db/write/opt_outs.hpp"
#include "db/write/parts.hpp"
#include "db/write/replacing.hpp"
#include "db/write/reports.hpp"
#include "db/write/self_sms.hpp"
#include "db/write/sim_quota.hpp"

#include <algorithm>
#include <optional>

namespace smsrack::db {
namespace {

struct AttemptRecord {
    MessageId message = {};
    std::uint8_t segment = 0;
    std::uint16_t number = 0;
    SimId sim = {};
    std::string modem = {};
    WallTime started_at = {};
    OutcomeKind outcome = OutcomeKind::open;
};

std::optional<AttemptRecord> load_attempt(Connection& db, AttemptId id) {
    AttemptRecord a;
    const bool found =
        db.first(std::tie(a.message, a.segment, a.number, a.sim, a.modem, a.started_at, a.outcome),
                 "SELECT message, segment, number, sim, modem, started_at, outcome FROM attempts "
                 "WHERE id = ?",
                 id);
    return found ? std::optional(std::move(a)) : std::nullopt;
}

std::vector<SegmentRecord> queued_segments(std::uint8_t count) {
    std::vector<SegmentRecord> segments(count);
    for (std::uint8_t i = 0; i < count; ++i) {
        segments[i].index = i;
    }
    return segments;
}

bool may_begin(const MessageRecord& message, const ports::BeginAttempt& start) {
    if (message.in_hand || start.segment >= start.segments) {
        return false;
    }
    if (message.segments.empty()) {
        return message.state == MessageState::queued;
    }
    return !is_final(message.state) && start.segment < message.segments.size() &&
           next(message_rules, message.segments[start.segment].state, MessageEvent::attempt)
               .has_value();
}

std::string recipient_of(Connection& db, MessageId message) {
    return db.scalar<std::string>("SELECT to_addr FROM messages WHERE id = ?", {}, message);
}

/// Its recipient has said STOP, and it is not exempt.
bool is_opted_out(const Writer& writer, MessageId message) {
    std::string to;
    Level level = 0;
    std::string group;
    const bool found = writer.db.first(std::tie(to, level, group),
                                       "SELECT m.to_addr, m.level, g.name FROM messages m LEFT "
                                       "JOIN groups g ON g.id = m.grp WHERE m.id = ?",
                                       message);
    return found && !writer.rules.opt_out.exempts(group, level) &&
           find_opt_out(writer.db, to).has_value();
}

/// No engine ever had it, so no other box decides of it.
bool is_only_here(Connection& db, MessageId message) {
    const auto place = load_place(db, message);
    return place && place->stage == FleetStage::firm && place->kept == Kept::here &&
           place->epoch == Epoch{};
}

bool is_held_by_fleet(const Writer& writer, const MessageRecord& message) {
    if ((message.flags & flag_shared) == 0) {
        return false;
    }
    if (writer.rules.knows_rules && !writer.rules.knows_rules(message.level)) {
        return true;
    }
    return writer.rules.may_begin_shared && !writer.rules.may_begin_shared() &&
           !is_only_here(writer.db, message.id);
}

void insert_attempt(Connection& db, AttemptId id, const MessageRecord& message,
                    const ports::BeginAttempt& start) {
    db.run(
        "INSERT INTO attempts (id, message, number, segment, modem, sim, started_at, outcome, "
        "pending, prev) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?)",
        id, start.message, message.attempts, start.segment, start.modem, start.sim, start.at,
        OutcomeKind::open, message.last_attempt);
}

/// A segment that will never be sent because another one of its message can't be.
void cancel_untaken(MessageRecord& message) {
    for (SegmentRecord& segment : message.segments) {
        if (segment.state == MessageState::queued || segment.state == MessageState::sending) {
            apply_event(segment, MessageEvent::cancel);
        }
    }
}

/// attempts.pending: see 0001, and `given_up`. The numbers are stored.
constexpr int in_doubt = 1;
// its message has ended in doubt: a report that comes now is noted with it
constexpr int given_up = 3;

void save_outcome(Connection& db, const ports::EndAttempt& end, bool report_asked,
                  std::optional<int> pending) {
    const SubmitOutcome& outcome = end.outcome;
    const std::optional<int> tp_mr =
        outcome.has_tp_mr ? std::optional<int>(outcome.tp_mr) : std::nullopt;
    const bool awaits_report = outcome.kind == OutcomeKind::accepted && report_asked;
    if (outcome.kind == OutcomeKind::unknown && outcome.cause.kind == CodeKind::none) {
        // The policy ends a doubt without having learned anything: when and with what the attempt ended stays.
        db.run(
            "UPDATE attempts SET ended_at = coalesce(ended_at, ?), outcome = ?, pending = ? WHERE "
            "id = ?",
            end.at, outcome.kind, pending, end.attempt);
        return;
    }
    db.run(
        "UPDATE attempts SET ended_at = ?, outcome = ?, tp_mr = ?, cause_kind = ?, cause_code = ?, "
        "pending = ?, report_ref = ? WHERE id = ?",
        end.at, outcome.kind, tp_mr, outcome.cause.kind, outcome.cause.code, pending,
        awaits_report ? std::optional(tp_mr.value_or(no_reference)) : std::nullopt, end.attempt);
}

/// What the message says of its last trouble, and when it continues.
void note_end(MessageRecord& message, const ports::EndAttempt& end, const AttemptRecord& attempt,
              bool applied, bool was_uncertain) {
    message.in_hand = message.in_hand && attempt.outcome != OutcomeKind::open;
    if (!applied) {
        return;
    }
    const MessageState state = state_of(message.segments);
    if (end.due_at || state != MessageState::uncertain) {
        message.due_at = end.due_at;
    }
    if (end.counts_as_failure) {
        ++message.failures;
    }
    if (end.event == MessageEvent::accepted) {
        message.sim = attempt.sim;
        if (!is_final(state)) {  // else a report of another segment has ended it meanwhile
            message.cause = {};
            message.detail.clear();
        }
    } else {
        message.cause = end.outcome.cause;
        message.detail = end.detail;
    }
    if (was_uncertain && state == MessageState::sending && !message.due_at) {
        message.due_at = end.at;  // no line holds it: it continues
    }
}

}  // namespace

Result<AttemptId> apply(Writer& writer, const ports::BeginAttempt& start) {
    auto message = load_message(writer.db, start.message);
    if (!message || !may_begin(*message, start)) {
        return fail(Errc::conflict, "the message may not be sent any more");
    }
    if (is_outdated(*message, start.queued_by)) {
        return fail(Errc::conflict, "the message was replaced", ports::was_replaced);
    }
    if (is_held_by_fleet(writer, *message)) {
        return fail(Errc::closed, "the fleet does not answer: this box begins nothing shared now");
    }
    if (is_opted_out(writer, start.message)) {
        (void)finish_message(writer,
                             {.message = start.message,
                              .event = MessageEvent::cancel,
                              .detail = "opted_out",
                              .at = start.at},
                             By::holder);
        return fail(Errc::conflict, "the recipient wants no messages");
    }
    if (auto counted = count_attempt(writer.db, start); !counted) {
        return std::unexpected(std::move(counted.error()));
    }
    if (message->segments.empty()) {
        message->segments = queued_segments(start.segments);
        message->segment_count = start.segments;
    }
    const AttemptId id{writer.ledger.next_number()};
    ++message->attempts;
    insert_attempt(writer.db, id, *message, start);

    SegmentRecord& segment = message->segments[start.segment];
    apply_event(segment, MessageEvent::attempt);
    segment.attempt = id;
    message->last_attempt = id;
    note_begun(writer.db, *message, start);
    message->in_hand = true;
    message->due_at.reset();
    message->modem = start.modem;
    if (start.concat_ref) {
        message->concat_ref = start.concat_ref;
    }
    save_message(writer, *message, state_of(message->segments),
                 {.at = start.at,
                  .modem = start.modem,
                  .segment = start.segment,
                  .attempt = message->attempts});
    return id;
}

Result<ports::AttemptApplied> apply(Writer& writer, const ports::EndAttempt& end) {
    const auto attempt = load_attempt(writer.db, end.attempt);
    auto message = attempt ? load_message(writer.db, attempt->message) : std::nullopt;
    if (!message || attempt->segment >= message->segments.size()) {
        return fail(Errc::not_found, "attempt");
    }
    if (attempt->outcome != OutcomeKind::open && attempt->outcome != OutcomeKind::unknown) {
        return ports::AttemptApplied{.message_state = message->state,
                                     .applied = false};  // an answer that came twice
    }
    SegmentRecord& segment = message->segments[attempt->segment];
    const bool was_uncertain = segment.state == MessageState::uncertain;
    const bool newest = segment.attempt == end.attempt;
    const bool applied = newest && apply_event(segment, end.event);
    if (applied && end.outcome.kind == OutcomeKind::accepted && end.outcome.has_tp_mr) {
        segment.tp_mr = end.outcome.tp_mr;
    }
    if (applied && end.ends_message) {
        cancel_untaken(*message);
    }
    const bool uncertain = newest && segment.state == MessageState::uncertain;
    const bool report_asked = (message->flags & flag_report) != 0;
    const bool left_in_doubt = applied && was_uncertain && report_asked && !uncertain &&
                               end.outcome.kind == OutcomeKind::unknown;
    save_outcome(writer.db, end, report_asked,
                 uncertain       ? std::optional(in_doubt)
                 : left_in_doubt ? std::optional(given_up)
                                 : std::nullopt);
    note_end(*message, end, *attempt, applied, was_uncertain);
    if (applied && (end.event == MessageEvent::accepted || uncertain)) {
        keep_sim(writer.db, *message, attempt->sim);
    }
    if (applied && end.event == MessageEvent::accepted && (message->flags & flag_sticky) != 0) {
        note_recipient_sim(writer.db, recipient_of(writer.db, message->id), attempt->sim, end.at);
    }
    save_message(writer, *message, state_of(message->segments),
                 {.at = end.at,
                  .modem = attempt->modem,
                  .segment = attempt->segment,
                  .attempt = attempt->number,
                  .cause = end.outcome.cause,
                  .detail = end.detail});
    if (applied && message->client == rack_itself) {
        return ports::AttemptApplied{.message_state = settle_self_sms(writer, message->id),
                                     .applied = true};
    }
    if (applied &&
        report_asked) {  // also after a refusal: while it was open, reports could mean it
        // It ends before it began where the clock was set back meanwhile.
        apply_early_reports(writer,
                            {.sim = attempt->sim, .since = std::min(attempt->started_at, end.at)});
        const auto state = writer.db.scalar<MessageState>("SELECT state FROM messages WHERE id = ?",
                                                          message->state, message->id);
        return ports::AttemptApplied{.message_state = state, .applied = true};
    }
    return ports::AttemptApplied{.message_state = message->state, .applied = applied};
}

}  // namespace smsrack::db
