/// The space that is left where the database is.
///
/// Threads: any.
/// Errors:  nullopt where the folder can't be looked at.
#pragma once

#include "src/base/result.hpp"
#include "src/ports/condition.hpp"

#include <filesystem>
#include <optional>

namespace smsrack::db {

/// For this account: what is reserved for root counts for root alone.
[[nodiscard]] std::optional<ports::DiskRoom> disk_room(const std::filesystem::path& folder);

/// Writes, syncs and removes a file of room_tried octets in `folder`. Waits for the disk.
/// storage: in the words of the system.
[[nodiscard]] Result<> try_disk(const std::filesystem::path& folder);

/// What a start writes before it can begin: the shared index of the log and the log of its recovery, with a margin.
inline constexpr std::size_t room_tried = 512UL * 1024;

}  // namespace smsrack::db
