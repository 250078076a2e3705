/// The parts of the question `webhook`, one file each; each adds its figures to the one report.
///
/// Errors:  where something could not be measured at all.
#pragma once

#include "src/base/result.hpp"
#include "tools/bench/questions.hpp"
#include "tools/bench/report.hpp"

namespace smsrack::bench {

/// How late a request is after its event.
[[nodiscard]] Result<> hook_lateness(const Context& context, Report& report);
/// Ten endpoints, then one of them deaf: how late the others are.
[[nodiscard]] Result<> hook_neighbours(const Context& context, Report& report);
/// How many a second a receiver gets that takes a while for each; and what a backlog costs.
[[nodiscard]] Result<> hook_backlog(const Context& context, Report& report);

}  // namespace smsrack::bench
