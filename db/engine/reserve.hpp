/// Room that is kept for a start on a full disk.
///
/// Also who only reads a database with a log must make the shared index of that log: 32 KiB for each 4,096 pages. Where the disk
/// is full this file is given back, and the index has its room.
/// Threads: the one that opens the store.
/// Errors:  none: without room for it there is no reserve.
#pragma once

#include <cstddef>
#include <filesystem>

namespace smsrack::db {

/// The index of a log of 128 MiB.
inline constexpr std::size_t reserve_size = 256UL * 1024;

/// Makes the file next to `database` if it is not there, of reserve_size octets on the disk.
void keep_reserve(const std::filesystem::path& database);

/// Removes it. False: there was none.
bool give_reserve_back(const std::filesystem::path& database);

}  // namespace smsrack::db
