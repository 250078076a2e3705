/// The parts of the question `dedup`, one file each; each adds its figures to the one report.
///
/// Errors:  where something could not be measured at all.
#pragma once

#include "src/base/result.hpp"
#include "tools/bench/dedup_work.hpp"
#include "tools/bench/questions.hpp"
#include "tools/bench/report.hpp"

namespace smsrack::bench {

/// The filters, whole numbers, and the cache of confirmed pairs: rates, memory, false answers.
[[nodiscard]] Result<> dedup_memory(const Context& context, const DedupWork& work, Report& report);
/// A rebuild during a feed.
[[nodiscard]] Result<> dedup_rebuild(const Context& context, const DedupWork& work, Report& report);
/// Through the socket of the real service, its exact index full; and during a rebuild.
[[nodiscard]] Result<> dedup_socket(const Context& context, const DedupWork& work, Report& report);

}  // namespace smsrack::bench
