/// Groups and accounts of this box, by name.
///
/// Read from the files themselves: getgrnam() and getpwnam() ask NSS, whose modules are loaded for it and stay (0.3 MiB on
/// Debian). A name that only a directory service knows is not found.
/// Threads: any.
/// Errors:  a file that can't be read has no names.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <sys/types.h>

namespace smsrack::host {

[[nodiscard]] std::optional<gid_t> local_group(std::string_view name,
                                               const std::filesystem::path& file = "/etc/group");

/// Digits are a uid, for an account that is not in the file.
[[nodiscard]] std::optional<uid_t> local_user(std::string_view name,
                                              const std::filesystem::path& file = "/etc/passwd");

}  // namespace smsrack::host
