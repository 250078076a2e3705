/// Attempts that a status report may speak of: what StoreRules::choose_report chooses from.
///
/// Threads: the writing thread.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/connection.hpp"
#include "src/ports/store_rules.hpp"

#include <vector>

namespace smsrack::db {

/// attempts.report_ref where a report was asked for, and the modem's answer said no TP-MR. It is stored.
inline constexpr int no_reference = -1;

/// Those with the report's TP-MR, open ones and those in doubt.
[[nodiscard]] std::vector<ports::ReportCandidate> near_candidates(Connection& db,
                                                                  const StatusReport& report);

/// Those that are meant only where none of near_candidates() is: of messages that were given up in doubt, and those
/// of another TP-MR, or none, that were under way when the centre took the message.
void add_far_candidates(Connection& db, const StatusReport& report,
                        std::vector<ports::ReportCandidate>& out);

/// Meant where there is no other: a modem that keeps reports itself gives those of the SIM before after a new one is in. Only
/// those with the report's TP-MR that were under way when the centre took the message.
[[nodiscard]] std::vector<ports::ReportCandidate> candidates_of_sim_before(Connection& db,
                                                                           StatusReport report);

}  // namespace smsrack::db
