/// Fills the exact index of a trigger while the service is stopped, so that the measurement begins
/// with a full index.
///
/// Errors:  storage.
#pragma once

#include "src/base/result.hpp"
#include "tools/bench/dedup_work.hpp"

#include <filesystem>
#include <string>

namespace smsrack::bench {

/// All pairs of the work, as sent a day ago. Topic N is called topic_name(N).
[[nodiscard]] Result<> fill_index(const std::filesystem::path& database, const std::string& trigger,
                                  const DedupWork& work);
[[nodiscard]] std::string topic_name(std::uint32_t topic);

}  // namespace smsrack::bench
