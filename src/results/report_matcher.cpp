#include "src/results/report_matcher.hpp"

#include "src/sms/address.hpp"

#include <cstdint>

namespace smsrack::results {
namespace {

using namespace std::chrono_literals;

constexpr auto clock_slack =
    10min;  // between the centre's clock and ours, which may be wrong after a start without network
constexpr auto late_max =
    std::chrono::days(7);  // behind the validity: the SIM may have been out of reach for so long
constexpr auto wrap_time = 10min;  // no modem sends 256 segments in it

/// How sure a candidate is meant; the higher one is chosen, of equal ones the newest.
enum class Evidence : std::uint8_t {
    none,
    had_its_report,  ///< another report of a submit that had its last one already
    waits,           ///< waits for a report; the centre's clock says nothing, or another time
    doubt_in_window,
    waits_in_window,
    same_submit,  ///< a report with the same TP-SCTS was its own before
};

bool within(WallTime at, const ports::ReportCandidate& candidate) {
    return at >= candidate.started_at - clock_slack && at <= candidate.ended_at + clock_slack;
}

/// The centre took the message while the attempt was on its way: by its clock, or, where that goes
/// by another zone, by how long it says that it had the message.
bool in_window(const StatusReport& report, const ports::ReportCandidate& candidate) {
    if (!report.scts) {
        return within(report.received_at, candidate);
    }
    if (within(*report.scts, candidate)) {
        return true;
    }
    return report.discharge && *report.discharge >= *report.scts &&
           within(report.received_at - (*report.discharge - *report.scts), candidate);
}

Evidence of_holder(const StatusReport& report, const ports::ReportCandidate& candidate) {
    if (report.scts && candidate.report_scts == report.scts) {
        return Evidence::same_submit;
    }
    if (report.received_at > candidate.expires_at + late_max) {
        return Evidence::none;
    }
    if (candidate.reported) {
        return Evidence::had_its_report;
    }
    return in_window(report, candidate) ? Evidence::waits_in_window : Evidence::waits;
}

/// The modem gave this reference to another number's segment at that time, so not to this attempt.
bool reference_taken(const ports::ReportCandidate& doubt,
                     std::span<const ports::ReportCandidate> candidates) {
    for (const ports::ReportCandidate& other : candidates) {
        const auto apart = other.started_at - doubt.started_at;
        if (!other.uncertain && apart > -wrap_time && apart < wrap_time) {
            return true;
        }
    }
    return false;
}

Evidence evidence_for(std::size_t index, const StatusReport& report,
                      std::span<const ports::ReportCandidate> candidates) {
    const ports::ReportCandidate& candidate = candidates[index];
    if (!same_subscriber(report.recipient, candidate.to)) {
        return Evidence::none;
    }
    if (!candidate.uncertain) {
        return of_holder(report, candidate);
    }
    return in_window(report, candidate) && !reference_taken(candidate, candidates)
               ? Evidence::doubt_in_window
               : Evidence::none;
}

}  // namespace

std::optional<std::size_t> choose_report(const StatusReport& report,
                                         std::span<const ports::ReportCandidate> candidates) {
    std::optional<std::size_t> best;
    Evidence best_evidence = Evidence::none;
    std::size_t doubts = 0;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const Evidence evidence = evidence_for(i, report, candidates);
        doubts += evidence == Evidence::doubt_in_window ? 1 : 0;
        const bool newer = best && candidates[i].started_at > candidates[*best].started_at;
        if (evidence > best_evidence ||
            (evidence == best_evidence && evidence != Evidence::none && newer)) {
            best = i;
            best_evidence = evidence;
        }
    }
    const bool which_doubt = best_evidence == Evidence::doubt_in_window && doubts > 1;
    return which_doubt ? std::nullopt : best;
}

}  // namespace smsrack::results
