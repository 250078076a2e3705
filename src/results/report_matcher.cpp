#include "src/results/report_matcher.hpp"

#include "src/results/centre_clock.hpp"
#include "src/sms/address.hpp"

#include <algorithm>
#include <cstdint>

namespace smsrack::results {
namespace {

using namespace std::chrono_literals;
using ports::ReportCandidate;
using ports::ReportReference;
using ports::ReportStanding;

using Apart = std::chrono::milliseconds;

// After the validity: the SIM may have been out of reach for this long.
constexpr auto late_max = std::chrono::days(7);
constexpr auto wrap_time = 10min;       // few modems send 256 segments in it
constexpr auto wrap_time_least = 1min;  // and none in this: that were 230 ms for a segment

/// How sure a candidate is meant; the higher one is chosen, of equal ones the nearest in time.
enum class Evidence : std::uint8_t {
    none,
    had_its_report,   ///< another report of a submit that had its last one already
    waits_for_other,  ///< waits for a report, but the centre took this one's message at another time
    only_one_left,    ///< by recipient and window alone: no reference, or another one
    waits,            ///< waits for a report; the centre's clock says nothing
    doubt_in_window,
    waits_in_window,
    same_submit,  ///< a report with the same TP-SCTS was its own before
};

/// Of these, two messages that could be meant are one too many.
bool must_be_alone(Evidence evidence) {
    return evidence == Evidence::only_one_left || evidence == Evidence::doubt_in_window;
}

/// From the attempt's time, which lasts until now while it is open. Where the clock was set back meanwhile, it
/// began after its end.
Apart apart_from(const ReportCandidate& candidate, WallTime at, WallTime now) {
    const WallTime end = candidate.standing == ReportStanding::open
                             ? std::max(candidate.started_at, now)
                             : candidate.ended_at;
    const auto [first, last] = std::minmax(candidate.started_at, end);
    return std::max({first - at, at - last, Apart(0)});
}

/// From the time at which the centre took the message: by its clock, or, where that goes by another
/// zone, by how long it says that it had the message.
Apart apart_from(const ReportCandidate& candidate, const StatusReport& report) {
    const WallTime now = report.received_at;
    if (!report.scts) {
        return apart_from(candidate, now, now);
    }
    const Apart by_clock = apart_from(candidate, *report.scts, now);
    if (!report.discharge || *report.discharge < *report.scts) {
        return by_clock;
    }
    const WallTime taken = now - (*report.discharge - *report.scts);
    return std::min(by_clock, apart_from(candidate, taken, now));
}

bool in_window(const StatusReport& report, const ReportCandidate& candidate) {
    return apart_from(candidate, report) <= report_clock_slack;
}

bool is_too_late(const StatusReport& report, const ReportCandidate& candidate) {
    return report.received_at > candidate.expires_at + late_max;
}

Evidence of_holder(const StatusReport& report, const ReportCandidate& candidate) {
    if (report.scts && candidate.report_scts == report.scts) {
        return Evidence::same_submit;
    }
    if (is_too_late(report, candidate)) {
        return Evidence::none;
    }
    if (candidate.standing == ReportStanding::reported) {
        return Evidence::had_its_report;
    }
    if (in_window(report, candidate)) {
        return Evidence::waits_in_window;
    }
    return is_credible(report.scts, report.received_at) ? Evidence::waits_for_other
                                                        : Evidence::waits;
}

/// The modem gave this reference to another segment of the message, or to another number's at that time, so not to
/// this attempt.
bool reference_taken(const ReportCandidate& attempt, std::span<const ReportCandidate> candidates) {
    return std::ranges::any_of(candidates, [&](const ReportCandidate& other) {
        const bool had_its_own = other.standing == ReportStanding::reported;
        return other.reference == ReportReference::same &&
               (other.message == attempt.message ||
                std::chrono::abs(other.started_at - attempt.started_at) <
                    (had_its_own ? wrap_time_least : wrap_time));
    });
}

/// An attempt whose reference is not known whole.
Evidence of_other(const StatusReport& report, const ReportCandidate& candidate,
                  std::span<const ReportCandidate> candidates) {
    if (!in_window(report, candidate) || reference_taken(candidate, candidates)) {
        return Evidence::none;
    }
    switch (candidate.standing) {
        case ReportStanding::open:
        case ReportStanding::in_doubt:
            return Evidence::doubt_in_window;
        case ReportStanding::waits:
        case ReportStanding::given_up:
            return Evidence::only_one_left;
        case ReportStanding::reported:
            break;
    }
    return Evidence::none;
}

Evidence evidence_for(const StatusReport& report, const ReportCandidate& candidate,
                      std::span<const ReportCandidate> candidates) {
    if (!same_subscriber(report.recipient, candidate.to)) {
        return Evidence::none;
    }
    return candidate.reference == ReportReference::same ? of_holder(report, candidate)
                                                        : of_other(report, candidate, candidates);
}

/// Of two with equal evidence: the nearer one, else the newer one. Of one message whose references were
/// lost the segment before: its reports come in their order, and the centre's clock has seconds only.
bool fits_better(const ReportCandidate& candidate, const ReportCandidate& than,
                 const StatusReport& report, Evidence evidence) {
    if (must_be_alone(evidence) && candidate.message == than.message) {
        return candidate.segment < than.segment;
    }
    const Apart apart = apart_from(candidate, report);
    const Apart than_apart = apart_from(than, report);
    return apart < than_apart || (apart == than_apart && candidate.started_at > than.started_at);
}

}  // namespace

std::optional<ports::ReportChoice> choose_report(const StatusReport& report,
                                                 std::span<const ReportCandidate> candidates) {
    std::optional<std::size_t> best;
    Evidence best_evidence = Evidence::none;
    bool several = false;  // messages with the best evidence
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const Evidence evidence = evidence_for(report, candidates[i], candidates);
        if (evidence == Evidence::none || evidence < best_evidence) {
            continue;
        }
        several = evidence == best_evidence &&
                  (several || (best && candidates[*best].message != candidates[i].message));
        if (!best || evidence > best_evidence ||
            fits_better(candidates[i], candidates[*best], report, evidence)) {
            best = i;
        }
        best_evidence = evidence;
    }
    const bool can_not_be_told = must_be_alone(best_evidence) && several;
    const bool may_overtake = best && candidates[*best].standing == ReportStanding::open;
    if (!best || can_not_be_told || may_overtake) {
        return std::nullopt;
    }
    return ports::ReportChoice{.index = *best, .is_sure = best_evidence > Evidence::only_one_left};
}

}  // namespace smsrack::results
