/// The work of `smsrack-bench dedup` by other means, in one run: the filters of the service, hash sets, the blocked Bloom filter of decision 21,
/// and Redis bitmaps where redis-server is installed.
///
/// Unit:    events a second of CPU time; the memory of each as a ratio to that of the filters.
/// Errors:  of Redis, which ended or said something unknown; `closed` where a user called it off.
#pragma once

#include "src/base/result.hpp"
#include "tools/bench/dedup_work.hpp"
#include "tools/bench/report.hpp"
#include "tools/rig/interrupt.hpp"

#include <filesystem>

namespace smsrack::lab {

/// `folder`: for the socket and the log of Redis.
[[nodiscard]] Result<bench::Report> compare(const bench::DedupWork& work,
                                            const std::filesystem::path& folder,
                                            const rig::Interrupt& interrupt);

}  // namespace smsrack::lab
