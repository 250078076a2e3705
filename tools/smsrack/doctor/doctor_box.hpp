/// What `doctor` checks besides the modems: other programs, the disk, the clock, the rights.
///
/// The judging functions are pure; the others read /proc and the file system.
#pragma once

#include "src/base/clock.hpp"
#include "src/config/settings.hpp"
#include "src/ports/condition.hpp"
#include "tools/smsrack/doctor/finding.hpp"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace smsrack::cli {

/// ModemManager and brltty, which open serial ports by themselves. `manager`: the running ones.
[[nodiscard]] Findings judge_programs(std::span<const std::string> manager,
                                      std::span<const std::string> brltty);
[[nodiscard]] Findings look_at_programs();

/// The room where the service keeps its database, by the rule that the service itself goes by.
[[nodiscard]] Finding judge_disk(std::string_view folder, const ports::DiskRoom& room);
[[nodiscard]] std::optional<Finding> look_at_disk(const std::filesystem::path& folder);

/// `newest`: the latest time that the database has; nullopt: it has no row with a time yet.
[[nodiscard]] Finding judge_clock(WallTime now, std::optional<WallTime> newest);
/// Nullopt if there is no database, or this user can't read it.
[[nodiscard]] std::optional<Finding> look_at_clock(const std::filesystem::path& database,
                                                   WallTime now);

/// `open`: what others may reach of the service's own files (db/engine/open_rights).
[[nodiscard]] Finding judge_rights(std::span<const std::string> open);
/// nullopt if this account can't look: the folder is another account's alone.
[[nodiscard]] std::optional<Finding> look_at_rights(const config::Settings& settings);

}  // namespace smsrack::cli
