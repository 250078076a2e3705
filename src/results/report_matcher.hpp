/// Finds the segment that a status report is about.
///
/// Key: SIM, TP-MR and a tolerant compare of the destination; never the service centre's number.
/// The reference wraps at 256 and clocks are wrong, so times and what was reported before only
/// decide which of several is meant. An uncertain attempt has no reference: a report resolves it
/// only where it is the one candidate and the report's time lies in the attempt's window. A +CMGS
/// answer that came torn says no reference or another one: such a segment is found by recipient and
/// window, where its message is the only one left. An attempt that is still open may be the one
/// that is meant: until it ends, only a better match than these counts.
/// Source:  3GPP TS 23.040 9.2.3.9 (TP-SCTS), 9.2.3.13 (TP-DT), 9.2.3.6 (TP-MR).
#pragma once

#include "src/ports/store_rules.hpp"

#include <optional>
#include <span>

namespace smsrack::results {

/// Between the centre's clock and ours, which may be wrong after a start without network.
inline constexpr std::chrono::minutes report_clock_slack{10};

/// For ports::StoreRules. The candidates are of the report's SIM.
[[nodiscard]] std::optional<ports::ReportChoice> choose_report(
    const StatusReport& report, std::span<const ports::ReportCandidate> candidates);

}  // namespace smsrack::results
