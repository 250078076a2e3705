#include "db/reports.hpp"

#include "db/attempt_notes.hpp"
#include "db/message_record.hpp"
#include "src/base/check.hpp"
#include "src/base/time_text.hpp"

#include <fmt/format.h>
#include <vector>

namespace smsrack::db {
namespace {

// Of one SIM and reference, newest first: the modem counts to 255 before it comes again.
constexpr int candidates_max = 16;
// Uncertain attempts of one SIM that one report is held against, newest first.
constexpr int uncertain_max = 64;
// Unmatched reports looked at again for one attempt.
constexpr int early_max = 64;

struct Report {
    std::int64_t id = 0;
    StatusReport said;
};

void add_candidates(Rows& rows, std::vector<ports::ReportCandidate>& out) {
    while (rows.next()) {
        ports::ReportCandidate& c = out.emplace_back();
        MessageState state{};
        rows.read(c.attempt, c.message, c.segment, c.to, c.started_at, c.ended_at, c.expires_at,
                  c.report_scts, state);
        c.uncertain = state == MessageState::uncertain;
        c.reported = state != MessageState::sent && !c.uncertain;
    }
}

/// Messages that ended in doubt, whose report may still come.
void add_given_up(Connection& db, const StatusReport& report,
                  std::vector<ports::ReportCandidate>& out) {
    const std::size_t first = out.size();
    Rows rows = db.query(
        "SELECT a.id, a.message, a.segment, m.to_addr, a.started_at, coalesce(a.ended_at, "
        "a.started_at), m.expires_at, s.report_scts, s.state "
        "FROM attempts a JOIN segments s ON s.message = a.message AND s.idx = a.segment AND "
        "s.attempt = a.id "
        "JOIN messages m ON m.id = a.message "
        "WHERE a.pending = 3 AND a.sim = ? ORDER BY a.id DESC LIMIT ?",
        report.sim, uncertain_max);
    add_candidates(rows, out);
    for (std::size_t i = first; i < out.size(); ++i) {
        out[i].uncertain = true;
        out[i].reported = false;
    }
}

std::vector<ports::ReportCandidate> candidates_of(Connection& db, const StatusReport& report) {
    std::vector<ports::ReportCandidate> candidates;
    {
        Rows rows = db.query(
            "SELECT a.id, a.message, a.segment, m.to_addr, a.started_at, coalesce(a.ended_at, "
            "a.started_at), m.expires_at, s.report_scts, s.state "
            "FROM attempts a JOIN segments s ON s.message = a.message AND s.idx = a.segment AND "
            "s.attempt = a.id "
            "JOIN messages m ON m.id = a.message "
            "WHERE a.sim = ? AND a.report_ref = ? ORDER BY a.id DESC LIMIT ?",
            report.sim, report.tp_mr, candidates_max);
        add_candidates(rows, candidates);
    }
    Rows rows = db.query(
        "SELECT a.id, a.message, a.segment, m.to_addr, a.started_at, coalesce(a.ended_at, "
        "a.started_at), m.expires_at, s.report_scts, s.state "
        "FROM attempts a JOIN segments s ON s.message = a.message AND s.idx = a.segment AND "
        "s.attempt = a.id "
        "JOIN messages m ON m.id = a.message "
        "WHERE a.pending IN (1, 2) AND a.sim = ? ORDER BY a.id DESC LIMIT ?",
        report.sim, uncertain_max);
    add_candidates(rows, candidates);
    return candidates;
}

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

/// States only move forward, so the message stays failed; but whoever asks is told what the network said.
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
        message->due_at = report.said.received_at;  // nobody holds its other segments: they go on
    }
    save_message(writer, *message, state, change);
}

/// The message it spoke of; nothing: not known, or not yet.
std::optional<MessageId> match(Writer& writer, const Report& report) {
    auto candidates = candidates_of(writer.db, report.said);
    const std::size_t live = candidates.size();
    auto chosen = writer.rules.choose_report(report.said, candidates);
    if (!chosen) {
        add_given_up(writer.db, report.said, candidates);
        chosen = writer.rules.choose_report(report.said, candidates);
    }
    if (!chosen) {
        return std::nullopt;
    }
    SMSRACK_CHECK(*chosen < candidates.size());
    if (*chosen < live) {
        apply_report(writer, report, candidates[*chosen]);
    } else {
        note_late_report(writer, report, candidates[*chosen]);
    }
    return candidates[*chosen].message;
}

std::vector<Report> unmatched(Connection& db, const EarlyReports& wanted) {
    std::vector<Report> reports;
    Rows rows = db.query(
        "SELECT id, modem, sim, tp_mr, recipient, scts, discharge, tp_status, raw, received_at "
        "FROM reports "
        "WHERE attempt IS NULL AND sim = ?1 AND (?2 IS NULL OR tp_mr = ?2) AND received_at >= ?3 "
        "ORDER BY id LIMIT ?4",
        wanted.sim, wanted.tp_mr, wanted.since, early_max);
    while (rows.next()) {
        Report& r = reports.emplace_back();
        rows.read(r.id, r.said.modem, r.said.sim, r.said.tp_mr, r.said.recipient, r.said.scts,
                  r.said.discharge, r.said.tp_status, r.said.raw, r.said.received_at);
    }
    return reports;
}

}  // namespace

Result<ReportKept> keep_report(Writer& writer, const StatusReport& r) {
    const auto known = writer.db.scalar<std::int64_t>(
        "SELECT id FROM reports WHERE fingerprint = ?", 0, r.fingerprint);
    if (known != 0) {
        const auto message = writer.db.scalar<MessageId>(
            "SELECT a.message FROM reports r JOIN attempts a ON a.id = r.attempt WHERE r.id = ?",
            {}, known);
        return ReportKept{.duplicate = true, .matched = message != MessageId{}, .message = message};
    }
    const Report report{.id = writer.ledger.next_number(), .said = r};
    // Of a command: attempt 0, so of none of ours, and not looked at again.
    const auto speaks_of = r.of_command ? std::optional(AttemptId{}) : std::nullopt;
    writer.db.run(
        "INSERT INTO reports (id, fingerprint, modem, sim, tp_mr, recipient, scts, discharge, "
        "tp_status, raw, received_at, attempt) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        report.id, r.fingerprint, r.modem, r.sim, r.tp_mr, r.recipient, r.scts, r.discharge,
        r.tp_status, Octets{r.raw}, r.received_at, speaks_of);
    if (r.of_command) {
        return ReportKept{};
    }
    const auto message = match(writer, report);
    return ReportKept{.matched = message.has_value(), .message = message.value_or(MessageId{})};
}

void apply_early_reports(Writer& writer, const EarlyReports& wanted) {
    for (const Report& report : unmatched(writer.db, wanted)) {
        (void)match(writer, report);
    }
}

}  // namespace smsrack::db
