/// Status reports: kept once, applied to the segment they speak of, also when they come before the
/// modem's answer.
///
/// Which segment that is, and whether a report was kept before, is decided by StoreRules.
/// Threads: the writing thread.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/writer.hpp"
#include "src/ports/receive_commands.hpp"

#include <string>

namespace smsrack::db {

[[nodiscard]] ReportKept apply(Writer& writer, const ports::KeepReport& command);

/// As KeepReport, where it speaks of a message that is here. False: it does not, and is not kept.
[[nodiscard]] bool keep_if_known(Writer& writer, const StatusReport& report);

struct EarlyReports {
    SimId sim;
    WallTime since = {};         ///< they came then or later
    std::string recipient = {};  ///< as they write it; empty: any
};

/// Looks once more at reports that spoke of nothing known, or that could mean several attempts: one of them has ended
/// or has its report.
void apply_early_reports(Writer& writer, const EarlyReports& wanted);

}  // namespace smsrack::db
