/// SQLite's way to the disk, which counts what is written and synced through it, and hands over what
/// a commit writes to its log as one write.
///
/// What is written decides how many years the flash of a box lasts, so `/metrics` reports it and
/// `smsrack-bench cost` measures it.
/// Writes to a log are gathered until its next read, sync, cut or question for its size. Other
/// connections read only what was committed: SQLite syncs the log before it tells them of a commit
/// (`synchronous = FULL`). Without that setting they could miss octets.
/// Threads: those of the connections that use it.
/// Errors:  none of its own: each call is the default VFS's.
/// Source:  SQLite, the VFS interface (sqlite3_vfs; sqlite3_io_methods 2: without mmap).
#pragma once

#include "src/stats/stats.hpp"

#include <memory>

namespace smsrack::db {

class CountedDisk {
public:
    /// Registers itself, over what is the default VFS now. `stats` outlives it.
    explicit CountedDisk(stats::Stats& stats);
    CountedDisk(const CountedDisk&) = delete;
    CountedDisk& operator=(const CountedDisk&) = delete;
    /// All its connections are closed before.
    ~CountedDisk();

    /// For ConnectionOptions::disk.
    [[nodiscard]] const char* name() const;

    struct State;

private:
    std::unique_ptr<State> state_;
};

}  // namespace smsrack::db
