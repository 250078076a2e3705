/// Writes a file so that it is there whole or not at all, even if the power fails: it is written to
/// a temporary name, synced and renamed, and its folder is synced.
///
/// Errors:  conflict: there is one of this name (and it must not be replaced); storage: the disk is full or failing, no such folder;
///          not_allowed; not_found (of reading).
#pragma once

#include "src/base/result.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace smsrack::cli {

enum class Existing : std::uint8_t { keep, replace };

/// With `group` and `user` it belongs to those, before it has its name.
[[nodiscard]] Result<> write_whole_file(const std::filesystem::path& file, std::string_view text,
                                        Existing existing, mode_t mode = 0644,
                                        std::optional<gid_t> group = std::nullopt,
                                        std::optional<uid_t> user = std::nullopt);

/// All of a file of at most 1 MiB.
[[nodiscard]] Result<std::string> read_small_file(const std::filesystem::path& file);

}  // namespace smsrack::cli
