#include "db/write/reports.hpp"

#include "db/read/message_record.hpp"
#include "db/read/report_candidates.hpp"
#include "db/write/attempt_notes.hpp"
#include "db/write/held_places.hpp"
#include "db/write/inbound_columns.hpp"
#include "src/base/check.hpp"
#include "src/base/time_text.hpp"

#include <fmt/format.h>
#include <vector>

namespace smsrack::db {
namespace {

// Unmatched reports of a SIM that are looked at again, the newest ones.
constexpr int early_max = 64;
// How often each of them is tried for one attempt that ended.
constexpr int early_rounds = 3;

struct Report {
    std::int64_t id = 0;
    StatusReport said;
};

/// The report is the proof that the network took it: the attempt's answer, come another way.
void resolve_uncertain(Writer& writer, MessageRecord& message, SegmentRecord& segment,
                       const Report& report) {
    writer.db.run(
        "UPDATE attempts SET outcome = ?, tp_mr = ?, report_ref = ?, pending = NULL WHERE id = ?",
        OutcomeKind::accepted, report.said.tp_mr, report.said.tp_mr, segment.attempt);
    segment.tp_mr = report.said.tp_mr;
    message.sim = report.said.sim;
    message.cause = {};
    message.detail.clear();
}

void cancel_queued(MessageRecord& message) {
    for (SegmentRecord& segment : message.segments) {
        if (segment.state == MessageState::queued) {
            segment.state = MessageState::cancelled;
        }
    }
}

void note_report(SegmentRecord& segment, const StatusReport& report) {
    segment.tp_status = report.tp_status;
    segment.reported_at = report.received_at;
    segment.report_scts = report.scts;
    segment.discharge = report.discharge;
}

/// States only move forward, so the message stays failed; but a caller who asks learns what the network said.
void note_late_report(Writer& writer, const Report& report, const ports::ReportCandidate& chosen) {
    writer.db.run("UPDATE reports SET attempt = ? WHERE id = ?", chosen.attempt, report.id);
    if (writer.rules.errors->report_event(report.said.tp_status)) {  // else the last one is to come
        writer.db.run("UPDATE attempts SET pending = NULL WHERE id = ?", chosen.attempt);
    }
    auto message = load_message(writer.db, chosen.message);
    SMSRACK_CHECK(message && chosen.segment < message->segments.size());
    note_report(message->segments[chosen.segment], report.said);
    save_message(writer, *message, message->state, {.at = report.said.received_at});
    const CauseInfo& info =
        writer.rules.errors->info({.kind = CodeKind::tp_status, .code = report.said.tp_status});
    keep_note(writer.db, chosen.attempt,
              {.kind = ports::NoteKind::late_report,
               .at = report.said.received_at,
               .text = fmt::format("{}: status report, TP-Status {}: {}",
                                   time_text(report.said.received_at), report.said.tp_status,
                                   info.meaning)});
}

void apply_report(Writer& writer, const Report& report, const ports::ReportCandidate& chosen) {
    writer.db.run("UPDATE reports SET attempt = ? WHERE id = ?", chosen.attempt, report.id);
    auto message = load_message(writer.db, chosen.message);
    SMSRACK_CHECK(message && chosen.segment < message->segments.size());
    SegmentRecord& segment = message->segments[chosen.segment];
    if (is_final(segment.state)) {
        // One that comes after the end, a temporary one mostly, changes nothing. A failed segment that the network took was
        // given up in doubt, and its answer came after that.
        if (segment.state == MessageState::failed && !segment.tp_status) {
            note_late_report(writer, report, chosen);
        }
        return;
    }
    const bool was_uncertain = segment.state == MessageState::uncertain;
    std::optional<MessageEvent> event = writer.rules.errors->report_event(report.said.tp_status);
    if (was_uncertain) {
        resolve_uncertain(writer, *message, segment, report);
        event = event.value_or(MessageEvent::accepted);
    }
    note_report(segment, report.said);
    Change change{
        .at = report.said.received_at, .modem = report.said.modem, .segment = chosen.segment};
    const bool applied = event && apply_event(segment, *event);
    if (applied && message->detail == no_report_came) {
        message->detail.clear();  // one came after all
    }
    if (applied && segment.state != MessageState::delivered &&
        segment.state != MessageState::sent) {
        change.cause = {.kind = CodeKind::tp_status, .code = report.said.tp_status};
        message->cause = change.cause;
        cancel_queued(*message);
    }
    change.attempt = writer.db.scalar<std::uint16_t>("SELECT number FROM attempts WHERE id = ?", 0,
                                                     chosen.attempt);
    const MessageState state = state_of(message->segments);
    if (was_uncertain && state == MessageState::sending) {
        // no line holds its other segments: they continue
        message->due_at = report.said.received_at;
    }
    save_message(writer, *message, state, change);
}

/// A segment that was found without its reference: later reports of the same submit find it by theirs.
void learn_reference(Connection& db, const Report& report, const ports::ReportCandidate& chosen) {
    if (chosen.reference != ports::ReportReference::none) {
        return;
    }
    db.run("UPDATE attempts SET tp_mr = ?1, report_ref = ?1 WHERE id = ?2", report.said.tp_mr,
           chosen.attempt);
    db.run("UPDATE segments SET tp_mr = ? WHERE message = ? AND idx = ?", report.said.tp_mr,
           chosen.message, chosen.segment);
}

/// What it speaks of; nullopt: not known, or not yet.
std::optional<ports::ReportCandidate> choose(Writer& writer, const StatusReport& report) {
    auto candidates = near_candidates(writer.db, report);
    auto chosen = writer.rules.choose_report(report, candidates);
    if (!chosen || !chosen->is_sure) {
        add_far_candidates(writer.db, report, candidates);
        chosen = writer.rules.choose_report(report, candidates);
    }
    if (!chosen) {
        candidates = candidates_of_sim_before(writer.db, report);
        chosen = writer.rules.choose_report(report, candidates);
    }
    if (!chosen) {
        return std::nullopt;
    }
    SMSRACK_CHECK(chosen->index < candidates.size());
    return candidates[chosen->index];
}

void apply_to(Writer& writer, const Report& report, const ports::ReportCandidate& of) {
    if (of.standing == ports::ReportStanding::given_up) {
        return note_late_report(writer, report, of);
    }
    if (of.standing == ports::ReportStanding::waits) {
        learn_reference(writer.db, report, of);
    }
    apply_report(writer, report, of);
}

/// The same, once it is applied to its message.
std::optional<ports::ReportCandidate> match(Writer& writer, const Report& report) {
    auto chosen = choose(writer, report.said);
    if (chosen) {
        apply_to(writer, report, *chosen);
    }
    return chosen;
}

/// `speaks_of`: the attempt, where it is known.
void insert(Connection& db, const Report& report, std::optional<AttemptId> speaks_of) {
    const StatusReport& r = report.said;
    db.run(
        "INSERT INTO reports (id, fingerprint, modem, sim, tp_mr, recipient, scts, discharge, "
        "tp_status, raw, received_at, attempt, place) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
        "?)",
        report.id, r.fingerprint, r.modem, r.sim, r.tp_mr, r.recipient, r.scts, r.discharge,
        r.tp_status, Octets{r.raw}, r.received_at, speaks_of, stored(r.held_at));
}

/// Oldest first.
std::vector<Report> unmatched(Connection& db, const EarlyReports& wanted) {
    std::vector<Report> reports;
    Rows rows = db.query(
        "SELECT id, modem, sim, tp_mr, recipient, scts, discharge, tp_status, raw, received_at "
        "FROM (SELECT * FROM reports WHERE attempt IS NULL AND sim = ?1 ORDER BY id DESC LIMIT ?4) "
        "WHERE received_at >= ?2 AND (?3 IS NULL OR recipient = ?3) ORDER BY id",
        wanted.sim, wanted.since, unless_empty(wanted.recipient), early_max);
    while (rows.next()) {
        Report& r = reports.emplace_back();
        rows.read(r.id, r.said.modem, r.said.sim, r.said.tp_mr, r.said.recipient, r.said.scts,
                  r.said.discharge, r.said.tp_status, r.said.raw, r.said.received_at);
    }
    return reports;
}

}  // namespace

ReportKept apply(Writer& writer, const ports::KeepReport& command) {
    const StatusReport& r = command.report;
    const KeptRows kept = kept_reports(writer.db, r);
    const ports::Judgement judged = writer.rules.judge_report(r, kept.before);
    if (judged.is != ports::Arrival::another) {
        hold_report_again(writer.db, kept.ids[judged.of], r);
        const auto message = writer.db.scalar<MessageId>(
            "SELECT a.message FROM reports r JOIN attempts a ON a.id = r.attempt WHERE r.id = ?",
            {}, kept.ids[judged.of]);
        return {.duplicate = true, .matched = message != MessageId{}, .message = message};
    }
    clear_place(writer.db, r.sim, r.held_at);
    const Report report{.id = writer.ledger.next_number(), .said = r};
    // Of a command: attempt 0, so of none of ours, and not looked at again.
    insert(writer.db, report, r.of_command ? std::optional(AttemptId{}) : std::nullopt);
    if (r.of_command) {
        return {};
    }
    const auto of = match(writer, report);
    if (!of) {
        return {};
    }
    // There is a candidate less for those that could mean several.
    apply_early_reports(writer, {.sim = r.sim, .since = of->started_at, .recipient = r.recipient});
    return {.matched = true, .message = of->message};
}

bool keep_if_known(Writer& writer, const StatusReport& report) {
    const KeptRows kept = kept_reports(writer.db, report);
    if (writer.rules.judge_report(report, kept.before).is != ports::Arrival::another) {
        return true;
    }
    const auto of = choose(writer, report);
    if (!of) {
        return false;
    }
    const Report known{.id = writer.ledger.next_number(), .said = report};
    insert(writer.db, known, std::nullopt);
    apply_to(writer, known, *of);
    return true;
}

void apply_early_reports(Writer& writer, const EarlyReports& wanted) {
    std::vector<Report> reports = unmatched(writer.db, wanted);
    // Each that finds its message may leave another one a single candidate.
    for (int round = 0; round < early_rounds; ++round) {
        if (std::erase_if(reports, [&](const Report& r) { return match(writer, r).has_value(); }) ==
            0) {
            return;
        }
    }
}

}  // namespace smsrack::db
