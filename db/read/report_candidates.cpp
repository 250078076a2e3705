#include "db/read/report_candidates.hpp"

#include "src/sms/message_states.hpp"
#include "src/sms/reference.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace smsrack::db {
namespace {

using ports::ReportReference;
using ports::ReportStanding;

// Of one SIM and reference, newest first: the modem counts to 255 before it comes again.
constexpr int candidates_max = 16;
// Open and uncertain attempts of one SIM that one report is held against, newest first.
constexpr int uncertain_max = 64;
// Of other references in one window: a fast modem sends 400 in it. Beyond, nothing is certain.
constexpr int others_max = 512;
// Of all SIMs: 256 of them with four each, or some minutes of eight fast ones.
constexpr int newest_max = 1'024;
// Before and behind the time that the centre says: the clocks' slack, and an attempt that lasts long.
constexpr std::chrono::minutes window_before{20};
constexpr std::chrono::minutes window_behind{10};

/// attempts.pending; see db/schema/0001 and db/write/attempts.cpp.
constexpr int is_open = 0;
constexpr int is_given_up = 3;

ReportStanding standing_of(std::optional<int> pending, MessageState state) {
    if (pending) {
        return *pending == is_open       ? ReportStanding::open
               : *pending == is_given_up ? ReportStanding::given_up
                                         : ReportStanding::in_doubt;
    }
    return state == MessageState::sent ? ReportStanding::waits : ReportStanding::reported;
}

/// nullopt: that of another submit.
std::optional<ReportReference> reference_of(std::optional<int> report_ref, std::uint8_t tp_mr) {
    if (!report_ref || *report_ref == no_reference) {
        return ReportReference::none;
    }
    if (*report_ref == tp_mr) {
        return ReportReference::same;
    }
    return may_be_left_of(*report_ref, tp_mr) ? std::optional(ReportReference::torn) : std::nullopt;
}

void add_candidates(Rows rows, const StatusReport& report,
                    std::vector<ports::ReportCandidate>& out) {
    while (rows.next()) {
        ports::ReportCandidate c;
        MessageState state{};
        std::optional<int> pending;
        std::optional<int> report_ref;
        rows.read(c.attempt, c.message, c.segment, c.to, c.started_at, c.ended_at, c.expires_at,
                  c.report_scts, state, pending, report_ref);
        c.standing = standing_of(pending, state);
        if (const auto reference = reference_of(report_ref, report.tp_mr)) {
            c.reference = *reference;
            out.push_back(std::move(c));
        }
    }
}

/// The first attempt that began at this time or later. Their times grow with their numbers, but for a clock
/// that was set: then a window may miss some, and newest_attempts() has those of the last minutes.
AttemptId first_attempt_since(Connection& db, WallTime at) {
    auto low = db.scalar<std::int64_t>("SELECT min(id) FROM attempts", 0);
    auto high = db.scalar<std::int64_t>("SELECT max(id) FROM attempts", 0) + 1;
    while (low < high) {
        const std::int64_t middle = low + (high - low) / 2;
        AttemptId id;
        WallTime started_at;
        (void)db.first(std::tie(id, started_at),
                       "SELECT id, started_at FROM attempts WHERE id >= ? ORDER BY id LIMIT 1",
                       middle);
        if (id == AttemptId{} || started_at >= at) {
            high = middle;
        } else {
            low = id.value + 1;
        }
    }
    return AttemptId{low};
}

/// The first of the newest attempts, by number.
AttemptId newest_attempts(Connection& db) {
    return db.scalar<AttemptId>(
        "SELECT min(id) FROM (SELECT id FROM attempts ORDER BY id DESC LIMIT ?)", {}, newest_max);
}

/// When the centre took the message, by its clock; or by how long it had it, where that goes by another zone.
std::vector<WallTime> times_of(const StatusReport& report) {
    if (!report.scts) {
        return {report.received_at};
    }
    std::vector<WallTime> times{*report.scts};
    if (report.discharge && *report.discharge >= *report.scts) {
        times.push_back(report.received_at - (*report.discharge - *report.scts));
    }
    std::ranges::sort(times);
    return times;
}

void add_given_up(Connection& db, const StatusReport& report,
                  std::vector<ports::ReportCandidate>& out) {
    add_candidates(
        db.query("SELECT a.id, a.message, a.segment, m.to_addr, a.started_at, coalesce(a.ended_at, "
                 "a.started_at), m.expires_at, s.report_scts, s.state, a.pending, a.report_ref "
                 "FROM attempts a JOIN segments s ON s.message = a.message AND s.idx = a.segment "
                 "AND s.attempt = a.id JOIN messages m ON m.id = a.message WHERE a.pending = 3 AND "
                 "a.sim = ? ORDER BY a.id DESC LIMIT ?",
                 report.sim, uncertain_max),
        report, out);
}

/// Taken by the network and without a report as yet.
void add_others(Connection& db, const StatusReport& report,
                std::vector<ports::ReportCandidate>& out) {
    const std::size_t first = out.size();
    const auto add_between = [&](AttemptId from, AttemptId to) {
        add_candidates(
            db.query(
                "SELECT a.id, a.message, a.segment, m.to_addr, a.started_at, coalesce(a.ended_at, "
                "a.started_at), m.expires_at, s.report_scts, s.state, a.pending, a.report_ref FROM "
                "attempts a NOT INDEXED CROSS JOIN segments s ON s.message = a.message AND s.idx = "
                "a.segment AND s.attempt = a.id CROSS JOIN messages m ON m.id = a.message WHERE "
                "a.id >= ? AND a.id < ? AND a.sim = ? AND a.report_ref IS NOT NULL AND "
                "a.report_ref <> ? AND a.pending IS NULL AND s.state = ? ORDER BY a.id LIMIT ?",
                from, to, report.sim, report.tp_mr, MessageState::sent, others_max + 1),
            report, out);
    };
    AttemptId from;
    for (const WallTime at : times_of(report)) {
        const AttemptId to = first_attempt_since(db, at + window_behind);
        add_between(std::max(from, first_attempt_since(db, at - window_before)), to);
        from = std::max(from, to);
    }
    // Some may come twice, which does no harm: they are of one message.
    add_between(newest_attempts(db), AttemptId{std::numeric_limits<std::int64_t>::max()});
    if (out.size() > first + 2 * others_max) {
        out.resize(first);
    }
}

}  // namespace

std::vector<ports::ReportCandidate> near_candidates(Connection& db, const StatusReport& report) {
    std::vector<ports::ReportCandidate> candidates;
    add_candidates(
        db.query("SELECT a.id, a.message, a.segment, m.to_addr, a.started_at, coalesce(a.ended_at, "
                 "a.started_at), m.expires_at, s.report_scts, s.state, a.pending, a.report_ref "
                 "FROM attempts a JOIN segments s ON s.message = a.message AND s.idx = a.segment "
                 "AND s.attempt = a.id JOIN messages m ON m.id = a.message WHERE a.sim = ? AND "
                 "a.report_ref = ? ORDER BY a.id DESC LIMIT ?",
                 report.sim, report.tp_mr, candidates_max),
        report, candidates);
    add_candidates(
        db.query("SELECT a.id, a.message, a.segment, m.to_addr, a.started_at, coalesce(a.ended_at, "
                 "a.started_at), m.expires_at, s.report_scts, s.state, a.pending, a.report_ref "
                 "FROM attempts a JOIN segments s ON s.message = a.message AND s.idx = a.segment "
                 "AND s.attempt = a.id JOIN messages m ON m.id = a.message WHERE a.pending IN (0, "
                 "1, 2) AND a.sim = ? AND m.flags & 1 = 1 ORDER BY a.id DESC LIMIT ?",
                 report.sim, uncertain_max),
        report, candidates);
    return candidates;
}

void add_far_candidates(Connection& db, const StatusReport& report,
                        std::vector<ports::ReportCandidate>& out) {
    add_given_up(db, report, out);
    add_others(db, report, out);
}

std::vector<ports::ReportCandidate> candidates_of_sim_before(Connection& db, StatusReport report) {
    report.sim = db.scalar<SimId>(
        "SELECT sim FROM attempts NOT INDEXED WHERE id >= ? AND modem = ? AND sim <> ? ORDER BY id "
        "DESC LIMIT 1",
        {}, newest_attempts(db), report.modem, report.sim);
    if (report.sim == SimId{}) {
        return {};
    }
    auto candidates = near_candidates(db, report);
    const auto times = times_of(report);
    std::erase_if(candidates, [&](const ports::ReportCandidate& candidate) {
        const bool was_under_way = std::ranges::any_of(times, [&](WallTime at) {
            return candidate.started_at >= at - window_before &&
                   candidate.started_at < at + window_behind;
        });
        return candidate.reference != ReportReference::same || !was_under_way;
    });
    return candidates;
}

}  // namespace smsrack::db
