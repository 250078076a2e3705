#include "src/results/report_matcher.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

constexpr WallTime noon{std::chrono::sys_days{std::chrono::year{2026} / 6 / 1} + 12h};

ports::ReportCandidate holder(std::chrono::minutes at, const char* to = "+33612345678",
                              bool reported = false) {
    return {.attempt = {},
            .message = {},
            .segment = 0,
            .to = to,
            .started_at = noon + at,
            .ended_at = noon + at + 5s,
            .uncertain = false,
            .reported = reported};
}

ports::ReportCandidate doubt(std::chrono::minutes at, const char* to = "+33612345678") {
    auto candidate = holder(at, to);
    candidate.uncertain = true;
    candidate.ended_at = candidate.started_at + 120s;
    return candidate;
}

StatusReport report(std::chrono::minutes scts, const char* recipient = "+33612345678") {
    StatusReport report{};
    report.recipient = recipient;
    report.scts = noon + scts;
    report.received_at = noon + scts + 1min;
    return report;
}

}  // namespace

TEST_CASE("choose_report: the segment that a status report speaks of") {
    struct Row {
        const char* so;
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
         }) {
        CAPTURE(row.so);
        CHECK(results::choose_report(row.report, row.candidates) == row.chosen);
    }
}
