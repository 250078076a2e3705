/// A disk whose power can be cut. What SQLite wrote and did not sync is then kept, lost or torn at
/// random.
///
/// It lies between SQLite and the files, which are real ones: locks, shared memory and reads are
/// the system's. A write of more than 1 KiB counts as several, between which the power may go. Written
/// sectors of 512 octets survive one by one, in any order, since the page cache writes back as it
/// likes; a sector is whole (SQLite counts on powersafe overwrite). A file
/// that was made may be gone, and one that was removed may be back, until the next sync of any file
/// (ext4, XFS: one journal). Other files of the folder were not synced by anybody: kept, cut short
/// or gone; but for those whose writer does so. While it exists every connection that is opened
/// goes through it.
/// Threads: any; one lock.
/// Source:  SQLite, "Atomic commit" and "How to corrupt"; the VFS interface (sqlite3_vfs, io_methods 2: without mmap).
#pragma once

#include "src/base/random.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
#include <string>

namespace smsrack::test {

class PowerDisk {
public:
    /// `synced`: names of files, none of SQLite's, that their writer syncs.
    explicit PowerDisk(std::set<std::string> synced = {});
    PowerDisk(const PowerDisk&) = delete;
    PowerDisk& operator=(const PowerDisk&) = delete;
    /// All its files are closed before.
    ~PowerDisk();

    /// The power fails after n more writes, syncs and removals, in the middle of whatever SQLite is
    /// doing then. What it does afterwards is not on the disk; the driver of the process sees
    /// `is_off` and lets it do no more.
    void go_off_after(std::uint64_t operations);
    [[nodiscard]] bool is_off() const;

    /// No file can grow from now on, or all can again.
    void fill(bool full);
    [[nodiscard]] bool is_full() const;

    /// What the folder holds at the next start, into `to`, which is empty. The folder itself
    /// continues as it was: it belongs to a process that is dead. The power is on again afterwards.
    void cut(const std::filesystem::path& folder, const std::filesystem::path& to, Random& random);

    /// No process starts on this folder any more.
    void forget(const std::filesystem::path& folder);

    /// Of the heap, for what the files of all folders are and what is not synced: no process of the box has it.
    [[nodiscard]] std::size_t heap_octets() const;

    /// What was counted so far: to see that a test does what it is for.
    struct Counts {
        std::uint64_t syncs = 0;
        std::uint64_t unsynced_writes = 0;  ///< at the cuts
        std::uint64_t lost = 0;             ///< of these, wholly
        std::uint64_t torn = 0;             ///< in part
    };
    [[nodiscard]] Counts counts() const;

    struct State;

private:
    std::unique_ptr<State> state_;
};

}  // namespace smsrack::test
