/// Which segment a status report speaks of.
///
/// Key: SIM, TP-MR and a tolerant compare of the destination, within a window; never the service
/// centre's number. The reference wraps at 256, so of several the newest without a final report is
/// meant. An uncertain attempt has no reference: a report resolves it only where it is the one
/// candidate, its time lies in the attempt's window, and no other segment holds the reference.
/// Source:  3GPP TS 23.040 9.2.3.13; design field.md 2.14; issue "the main job" 7.
#pragma once

#include "src/ports/store_rules.hpp"

#include <optional>
#include <span>

namespace smsrack::results {

/// For ports::StoreRules. The candidates are of the report's SIM, with its TP-MR or without one.
[[nodiscard]] std::optional<std::size_t> choose_report(
    const StatusReport& report, std::span<const ports::ReportCandidate> candidates);

}  // namespace smsrack::results
