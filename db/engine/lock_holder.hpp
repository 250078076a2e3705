/// Which other processes hold a lock on a file, in words for a person.
///
/// Read from /proc/locks and /proc/PID/comm. The name is missing where /proc hides the processes of other accounts.
/// Threads: any.
/// Errors:  what can't be read is left out.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace smsrack::db {

/// Numbers of the processes that hold a lock (flock or fcntl) on the file with this device and inode, each once.
[[nodiscard]] std::vector<pid_t> lock_pids(std::string_view proc_locks, dev_t device, ino_t inode);

/// "sleep (process 4711, uid 1002)", or as much of it as can be known; nullopt if there is no such process.
[[nodiscard]] std::optional<std::string> process_words(pid_t pid);

/// The processes other than this one that hold a lock on any of these files: "sleep (process 4711, uid 1002)", with commas
/// between them; empty if there are none.
[[nodiscard]] std::string lock_holders(std::span<const std::filesystem::path> files);

}  // namespace smsrack::db
