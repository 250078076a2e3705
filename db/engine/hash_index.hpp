/// From the hash of a ref, a recipient or a text to the messages that have it, newest first.
///
/// A hash alone is no proof: the caller compares with the message's row. Entries of the newest
/// messages are kept in memory; every `run_messages` of them are sorted and written behind the batches
/// in small steps, as one run. A run is searched only if its Bloom filter says so. So accepting a
/// message touches no random page of the disk.
/// Unit:    messages; a run of 16,384 has 0.8 MiB on disk and a filter of 48 KiB.
/// Threads: the writing thread.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/bloom.hpp"
#include "db/engine/connection.hpp"
#include "db/read/recent_hashes.hpp"

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace smsrack::db {

[[nodiscard]] std::uint64_t hash_of(std::string_view bytes);

/// Numbers that ports::same_subscriber may hold for one have one hash: that of their last 7 digits,
/// or of all letters and digits.
[[nodiscard]] std::uint64_t recipient_hash(std::string_view number);

class HashIndex {
public:
    /// How far the sorted runs in memory and on disk go. `filters_max`: of the newest runs; older
    /// ones are searched without.
    struct Limits {
        std::size_t run_messages = 16'384;
        std::size_t filters_max = 128;  ///< 6 MiB, 2 million messages
    };

    /// Reads the runs, and the messages newer than the last of them.
    HashIndex(Connection& connection, const Limits& limits);

    void add(HashKind kind, std::uint64_t hash, MessageId id);
    /// After the entries of one message.
    void added(MessageId id, WallTime at);

    /// Calls `match` with messages from the newest on, as far back as those of `since`, until it
    /// says true.
    bool find(HashKind kind, std::uint64_t hash, WallTime since,
              const std::function<bool(MessageId)>& match);

    void write_step();  ///< last in a transaction: some entries of the run that is being written
    void committed();
    void rolled_back();

    /// Removes a part of the runs of messages below `oldest`; false: none is left.
    bool remove_step(MessageId oldest, std::size_t limit);

private:
    struct Run {
        std::int64_t number = 0;
        MessageId last_id = {};
        WallTime newest_at = {};
        Bloom filter = {};  ///< empty: search always
    };

    void drop_unfinished();
    void read_runs();
    void read_recent();
    void freeze();
    bool find_in_run(const Run& run, HashKind kind, std::uint64_t hash,
                     const std::function<bool(MessageId)>& match);

    Connection& connection_;
    const Limits limits_;
    std::vector<Run> runs_ = {};  // oldest first
    RecentHashes recent_ = {};
    std::size_t recent_messages_ = 0;
    MessageId recent_last_ = {};
    WallTime recent_at_ = {};

    std::vector<HashEntry> frozen_ = {};  // sorted; on its way into `writing_`
    Run writing_ = {};
    std::size_t written_ = 0;  // of frozen_, in this batch
    std::size_t written_committed_ = 0;
    std::size_t added_in_batch_ = 0;
};

}  // namespace smsrack::db
