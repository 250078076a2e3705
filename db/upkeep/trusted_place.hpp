/// Whether other accounts could put another file in the place of one: what a privileged program asks before it runs a file, or
/// writes one.
///
/// A place is trusted when every folder on its way belongs to root or to the asking account, and no one else may write to it.
/// A sticky folder such as /tmp is trusted on the way: any account may create files in it, but only their owner may rename or
/// remove them. A file in it must be created with O_EXCL.
/// Threads: any.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <sys/types.h>

namespace smsrack::db {

/// "/srv/x belongs to uid 1002; ...": why this file or folder is not root's and `own`'s alone to change; nullopt if it is.
[[nodiscard]] std::optional<std::string> changeable(const struct stat& about,
                                                    const std::filesystem::path& path, uid_t own);

/// The same of a folder, given without links (std::filesystem::canonical), and all above it.
[[nodiscard]] std::optional<std::string> changeable_way(const std::filesystem::path& folder,
                                                        uid_t own);

}  // namespace smsrack::db
