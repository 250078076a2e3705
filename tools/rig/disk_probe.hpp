/// Measures what a wait for this disk costs, so that figures of different machines and of busy
/// moments can be distinguished.
///
/// Unit:    milliseconds of fdatasync(2) behind an overwrite of 4 KiB.
/// Errors:  storage.
#pragma once

#include "src/base/result.hpp"
#include "tools/rig/spread.hpp"

#include <filesystem>

namespace smsrack::rig {

/// Makes a file in `folder` and removes it; takes some 100 ms on a quick disk.
[[nodiscard]] Result<Spread> probe_disk(const std::filesystem::path& folder);

}  // namespace smsrack::rig
