#include "src/results/report_matcher.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

constexpr WallTime noon{std::chrono::sys_days{std::chrono::year{2026} / 6 / 1} + 12h};

using Standing = ports::ReportStanding;
using Reference = ports::ReportReference;

ports::ReportCandidate holder(std::chrono::minutes at, const char* to = "+33612345678",
                              bool reported = false) {
    return {.attempt = {},
            .message = MessageId{1'000'000 + at.count()},  // those of one time are of one message
            .segment = 0,
            .to = to,
            .started_at = noon + at,
            .ended_at = noon + at + 5s,
            .expires_at = noon + at + 24h,
            .standing = reported ? Standing::reported : Standing::waits,
            .reference = Reference::same};
}

ports::ReportCandidate doubt(std::chrono::minutes at, const char* to = "+33612345678") {
    auto candidate = holder(at, to);
    candidate.standing = Standing::in_doubt;
    candidate.reference = Reference::none;
    candidate.ended_at = candidate.started_at + 120s;
    return candidate;
}

/// Its answer is still to come.
ports::ReportCandidate open(std::chrono::minutes at, const char* to = "+33612345678") {
    auto candidate = doubt(at, to);
    candidate.standing = Standing::open;
    candidate.ended_at = candidate.started_at;
    return candidate;
}

/// It waits for its report, but the answer to its submit was torn.
ports::ReportCandidate torn(std::chrono::minutes at, Reference reference = Reference::torn,
                            const char* to = "+33612345678") {
    auto candidate = holder(at, to);
    candidate.reference = reference;
    return candidate;
}

/// A later segment of the same message, which has a reference of its own.
ports::ReportCandidate next_segment(const ports::ReportCandidate& of, std::chrono::minutes at) {
    auto candidate = torn(at);
    candidate.message = of.message;
    candidate.segment = static_cast<std::uint8_t>(of.segment + 1);
    return candidate;
}

/// It began before the clock was set back by so much, and ended after it.
ports::ReportCandidate set_back(std::chrono::minutes at, std::chrono::hours by) {
    auto candidate = holder(at);
    candidate.ended_at -= by;
    return candidate;
}

ports::ReportCandidate given_up(std::chrono::minutes at) {
    auto candidate = doubt(at);
    candidate.standing = Standing::given_up;
    return candidate;
}

/// By a centre without a clock.
StatusReport undated(std::chrono::minutes at) {
    StatusReport report{};
    report.recipient = "+33612345678";
    report.received_at = noon + at;
    return report;
}

/// Had a report with this time of the centre.
ports::ReportCandidate reported(std::chrono::minutes at, std::chrono::minutes scts) {
    auto candidate = holder(at, "+33612345678", true);
    candidate.report_scts = noon + scts;
    return candidate;
}

/// By a centre whose clock is `ahead`, of a message that it had for two hours.
StatusReport from_another_zone(std::chrono::minutes taken, std::chrono::minutes ahead) {
    StatusReport report{};
    report.recipient = "+33612345678";
    report.scts = noon + taken + ahead;
    report.discharge = *report.scts + 2h;
    report.received_at = noon + taken + 2h;
    return report;
}

StatusReport report(std::chrono::minutes scts, const char* recipient = "+33612345678") {
    StatusReport report{};
    report.recipient = recipient;
    report.scts = noon + scts;
    report.received_at = noon + scts + 1min;
    return report;
}

/// Read now, of a centre whose clock is `ahead` of ours.
StatusReport late_by_clock(std::chrono::minutes now, std::chrono::minutes ahead) {
    auto late = undated(now);
    late.scts = late.discharge = noon + ahead;
    return late;
}

}  // namespace

TEST_CASE("choose_report: the segment that a status report speaks of") {
    struct Row {
        const char* what;
        StatusReport report;
        std::vector<ports::ReportCandidate> candidates;
        std::optional<std::size_t> chosen;
    };
    for (const Row& row : {
             Row{"the holder of the reference", report(0min), {holder(0min)}, 0},
             Row{"none without candidates", report(0min), {}, std::nullopt},
             Row{"national and international form are one",
                 report(0min, "0612345678"),
                 {holder(0min)},
                 0},
             Row{"another number never",
                 report(0min, "+33699999999"),
                 {holder(0min)},
                 std::nullopt},
             Row{"the newest of two", report(60min), {holder(0min), holder(60min)}, 1},
             Row{"one without a final report first",
                 report(60min),
                 {holder(0min), holder(60min, "+33612345678", true)},
                 0},
             Row{"of two that wait the one that went out at the centre's time",
                 report(0min),
                 {holder(0min), holder(60min)},
                 0},
             Row{"a second report of the same submit goes to it, whatever else waits",
                 report(0min),
                 {reported(0min, 0min), holder(5min)},
                 0},
             Row{"another time of the centre is another submit",
                 report(5min),
                 {reported(0min, 0min), holder(5min)},
                 1},
             Row{"what has expired weeks ago waits for nothing any more",
                 report(14 * 24 * 60min),
                 {holder(0min)},
                 std::nullopt},
             Row{"a clock of another zone does not hide the holder",
                 from_another_zone(0min, -7h),
                 {holder(0min)},
                 0},
             Row{"nor an attempt in doubt", from_another_zone(0min, 45min), {doubt(0min)}, 0},
             Row{"a holder from before the references wrapped hides no doubt",
                 report(300min),
                 {holder(0min, "+33699999999", true), doubt(300min)},
                 1},
             Row{"nor does one to the same number that had its report",
                 report(300min),
                 {reported(0min, 0min), doubt(300min)},
                 1},
             Row{"nor one that waits since long ago",
                 report(300min),
                 {holder(0min), doubt(300min)},
                 1},
             Row{"a name is compared by its letters",
                 report(0min, "INFO"),
                 {holder(0min, "INFO")},
                 0},
             Row{"a short code whole",
                 report(0min, "36180"),
                 {holder(0min, "36181")},
                 std::nullopt},
             Row{"a second report finds its reported segment",
                 report(0min),
                 {holder(0min, "+33612345678", true)},
                 0},
             Row{"a doubt in its window", report(1min), {doubt(0min)}, 0},
             Row{"a doubt outside its window stays one",
                 report(60min),
                 {doubt(0min)},
                 std::nullopt},
             Row{"two doubts stay two", report(1min), {doubt(0min), doubt(2min)}, std::nullopt},
             Row{"two doubts, one to another number",
                 report(1min),
                 {doubt(0min), doubt(2min, "+33699999999")},
                 0},
             Row{"the holder goes before a doubt", report(1min), {doubt(0min), holder(1min)}, 1},
             Row{"a doubt is not resolved where another number's segment holds the reference",
                 report(1min),
                 {doubt(0min), holder(1min, "+33699999999")},
                 std::nullopt},
             Row{"of two that wait the nearest, not the newest",
                 report(0min),
                 {holder(0min), holder(9min)},
                 0},
             Row{"also where the report is far from both",
                 report(100min),
                 {holder(0min), holder(300min)},
                 0},
             Row{"a torn reference: the only one of its recipient and time",
                 report(1min),
                 {torn(0min), torn(0min, Reference::torn, "+33699999999")},
                 0},
             Row{"no reference at all", report(1min), {torn(0min, Reference::none)}, 0},
             Row{"at another time it is another's", report(60min), {torn(0min)}, std::nullopt},
             Row{"two that could be meant stay two",
                 report(1min),
                 {torn(0min), torn(2min, Reference::none)},
                 std::nullopt},
             Row{"a torn one and one that was given up too",
                 report(1min),
                 {torn(0min), given_up(2min)},
                 std::nullopt},
             Row{"one that was given up", report(1min), {given_up(0min)}, 0},
             Row{"the holder goes before a torn one", report(1min), {torn(1min), holder(0min)}, 1},
             Row{"but not one of another time", report(60min), {torn(60min), holder(0min)}, 0},
             Row{"of which a dead clock says nothing",
                 undated(60min),
                 {torn(60min), holder(0min)},
                 1},
             Row{"a doubt goes before a torn one", report(1min), {torn(0min), doubt(1min)}, 1},
             Row{"a torn one before a holder that had its report",
                 report(60min),
                 {reported(0min, 0min), torn(60min)},
                 1},
             Row{"a dead clock: by when the report came", undated(2min), {torn(0min)}, 0},
             Row{"a torn reference is not meant where another number's segment holds it",
                 report(1min),
                 {torn(0min), holder(1min, "+33699999999")},
                 std::nullopt},
             Row{"an open attempt may be meant: not the one that had its report",
                 report(300min),
                 {reported(0min, 0min), open(300min)},
                 std::nullopt},
             Row{"nor one that waits since long ago",
                 report(300min),
                 {holder(0min), open(300min)},
                 std::nullopt},
             Row{"nor a torn one, nor one in doubt",
                 report(1min),
                 {torn(0min), open(1min)},
                 std::nullopt},
             Row{"nor one in doubt", report(1min), {doubt(0min), open(1min)}, std::nullopt},
             Row{"but the holder of its time", report(1min), {holder(0min), open(1min)}, 0},
             Row{"and one of another time, where the report is older than the open attempt",
                 report(0min),
                 {holder(0min), open(300min)},
                 0},
             Row{"an open attempt to another number hides nothing",
                 report(1min),
                 {torn(0min), open(1min, "+33699999999")},
                 0},
             Row{"a fast modem has counted round: another number's segment had its own report",
                 report(0min),
                 {holder(-5min, "+33699999999", true), torn(0min)},
                 1},
             Row{"also where it needs 300 ms for a segment",
                 report(0min),
                 {holder(-1min, "+33699999999", true), torn(0min)},
                 1},
             Row{"but not within a minute",
                 report(0min),
                 {holder(0min, "+33699999999", true), torn(0min)},
                 std::nullopt},
             Row{"the clock was set back while it was sent",
                 report(0min),
                 {set_back(0min, 3h), torn(-180min)},
                 0},
             Row{"the box slept between two segments, and its clock is hours behind: the one with "
                 "the "
                 "reference",
                 late_by_clock(90min, 180min),
                 {holder(0min), next_segment(holder(0min), 89min)},
                 0},
             Row{"an open attempt lasts until now", report(30min), {open(0min)}, std::nullopt},
         }) {
        CAPTURE(row.what);
        const auto choice = results::choose_report(row.report, row.candidates);
        CHECK((choice ? std::optional(choice->index) : std::nullopt) == row.chosen);
    }
}

TEST_CASE(
    "choose_report: reports of one message whose references are lost find its segments in order") {
    auto first = torn(0min);
    auto second = torn(0min, Reference::none);
    second.segment = 1;
    for (const bool turned : {false, true}) {
        CAPTURE(turned);
        std::vector candidates{first, second};
        if (turned) {
            std::swap(candidates[0], candidates[1]);
        }
        const auto chosen = results::choose_report(report(0min), candidates);
        REQUIRE(chosen);
        CHECK(candidates[chosen->index].segment == 0);
    }
    auto another = torn(1min);
    CHECK_FALSE(results::choose_report(report(0min), std::vector{first, second, another}));
}

TEST_CASE("choose_report: what is sure without the candidates of other references") {
    struct Row {
        const char* what;
        StatusReport report;
        ports::ReportCandidate candidate;
        bool sure;
    };
    for (const Row& row : {
             Row{"the holder of its time", report(0min), holder(0min), true},
             Row{"the same submit", report(0min), reported(0min, 0min), true},
             Row{"a doubt of its time", report(1min), doubt(0min), true},
             Row{"a holder of which a dead clock says nothing", undated(60min), holder(0min), true},
             Row{"a holder of another time", report(60min), holder(0min), false},
             Row{"one that had its report", report(60min), reported(0min, 0min), false},
         }) {
        CAPTURE(row.what);
        const auto choice = results::choose_report(row.report, {&row.candidate, 1});
        REQUIRE(choice);
        CHECK(choice->is_sure == row.sure);
    }
}
