/// Status reports: kept once, applied to the segment they speak of, also when they come before the
/// modem's answer.
///
/// Which segment that is, is decided by StoreRules::choose_report.
/// Threads: the writing thread.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/writer.hpp"
#include "src/ports/store.hpp"

#include <optional>

namespace smsrack::db {

[[nodiscard]] Result<ReportKept> keep_report(Writer& writer, const StatusReport& report);

struct EarlyReports {
    SimId sim;
    std::optional<std::uint8_t> tp_mr = {};  ///< none: any, for an attempt that has none
    WallTime since;                          ///< when the attempt began
};

/// Looks once more at reports that spoke of nothing known.
void apply_early_reports(Writer& writer, const EarlyReports& wanted);

}  // namespace smsrack::db
