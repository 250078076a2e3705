/// What other accounts may reach of files that are the service's alone: the state folder, PIN files.
///
/// The service checks this and says which command repairs it. It repairs nothing itself: root does, with systemd-tmpfiles.
/// Threads: any.
/// Errors:  what can't be looked at is left out.
/// Source:  docs/rights.md, "Files".
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace smsrack::db {

/// Sets modes and owners of an installation as they must be.
inline constexpr const char* repair_command = "sudo systemd-tmpfiles --create smsrack.conf";

/// "/var/lib/smsrack/smsrack.db has mode 0640; it must be 0600"; nullopt: the file or folder is its owner's alone.
[[nodiscard]] std::optional<std::string> open_right(const std::filesystem::path& file);

/// The same of a folder and of all files in it. Nothing is said of the files of a folder that others can't enter.
[[nodiscard]] std::vector<std::string> open_rights(const std::filesystem::path& folder);

}  // namespace smsrack::db
