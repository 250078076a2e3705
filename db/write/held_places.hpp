/// Where modems still hold what was kept, and what was kept before of the same content: the evidence for
/// StoreRules::judge_segment and judge_report.
///
/// A place of a SIM holds one PDU, a message or a report; so one row at most claims it. `direct` is no
/// place: several may wait for their +CNMA, and one confirmation frees all of them.
/// Threads: the writing thread.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/writer.hpp"
#include "src/ports/receive_commands.hpp"
#include "src/ports/store_rules.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace smsrack::db {

/// The one at the same place first, then the newest ones; `ids` and `before` belong together.
struct KeptRows {
    std::vector<std::int64_t> ids = {};
    std::vector<ports::KeptBefore> before = {};
};

[[nodiscard]] KeptRows kept_segments(Connection& db, const InboundSegment& arrived);
[[nodiscard]] KeptRows kept_reports(Connection& db, const StatusReport& arrived);

/// The row is what the modem holds at this place now. Gives the inbox row of its message; 0: none as yet.
InboxId hold_segment_again(Connection& db, std::int64_t id, const InboundSegment& arrived);
void hold_report_again(Connection& db, std::int64_t id, const StatusReport& arrived);

/// Another PDU is there: the rows that claimed the place do so no longer.
void clear_place(Connection& db, SimId sim, const std::optional<HeldPlace>& place);

void apply(Writer& writer, const ports::ForgetHeld& command);
void apply(Writer& writer, const ports::ForgetHeldElsewhere& command);

}  // namespace smsrack::db
