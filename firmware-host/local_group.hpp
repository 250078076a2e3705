/// A group of this box, by its name.
///
/// Read from the file itself: getgrnam() asks NSS, whose modules are loaded for it and stay (0.3 MiB on Debian). A group that only a directory
/// service knows is not found.
/// Threads: any. Errors: a file that can't be read has no groups.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <sys/types.h>

namespace smsrack::host {

[[nodiscard]] std::optional<gid_t> local_group(std::string_view name,
                                               const std::filesystem::path& file = "/etc/group");

}  // namespace smsrack::host
