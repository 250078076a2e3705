/// A new name in a folder outlives the power only when the folder itself is on the disk.
#pragma once

#include <filesystem>

namespace smsrack::db {

/// Of the folder that `file` is in. False, with errno: it can't be synced.
[[nodiscard]] bool sync_folder_of(const std::filesystem::path& file);

}  // namespace smsrack::db
