#include "src/results/report_matcher.hpp"

#include "src/sms/address.hpp"

namespace smsrack::results {
namespace {

using namespace std::chrono_literals;

constexpr auto clock_slack =
    10min;  // between the centre's clock and ours, which may be wrong after a start without network

/// The centre took the message while the attempt was on its way.
bool in_window(const StatusReport& report, const ports::ReportCandidate& candidate) {
    const WallTime at = report.scts.value_or(report.received_at);
    return at >= candidate.started_at - clock_slack && at <= candidate.ended_at + clock_slack;
}

/// The newest that holds the reference; one without a final report before one that has it.
std::optional<std::size_t> newest_holder(const StatusReport& report,
                                         std::span<const ports::ReportCandidate> candidates) {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const ports::ReportCandidate& candidate = candidates[i];
        if (candidate.uncertain || !same_subscriber(report.recipient, candidate.to)) {
            continue;
        }
        const auto better = [&](const ports::ReportCandidate& than) {
            return candidate.reported != than.reported ? !candidate.reported
                                                       : candidate.started_at > than.started_at;
        };
        if (!best || better(candidates[*best])) {
            best = i;
        }
    }
    return best;
}

std::optional<std::size_t> only_uncertain(const StatusReport& report,
                                          std::span<const ports::ReportCandidate> candidates) {
    std::optional<std::size_t> only;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const ports::ReportCandidate& candidate = candidates[i];
        if (!candidate.uncertain) {
            return std::nullopt;  // another segment holds the reference
        }
        if (!same_subscriber(report.recipient, candidate.to) || !in_window(report, candidate)) {
            continue;
        }
        if (only) {
            return std::nullopt;
        }
        only = i;
    }
    return only;
}

}  // namespace

std::optional<std::size_t> choose_report(const StatusReport& report,
                                         std::span<const ports::ReportCandidate> candidates) {
    const auto holder = newest_holder(report, candidates);
    return holder ? holder : only_uncertain(report, candidates);
}

}  // namespace smsrack::results
