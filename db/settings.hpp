/// What the store is made with.
///
/// Unit: cache sizes are KiB, each of one connection; what a connection needs besides its cache is
/// about 300 KiB.
#pragma once

#include "src/base/box_ids.hpp"
#include "src/base/ids.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace smsrack::db {

/// What the process before has left to this one; a start of any other kind leaves it as it is.
struct StoreTakenOver {
    /// descriptor of the state folder's lock, the store's from now on; -1: it is taken
    int lock = -1;
    std::vector<AttemptId> in_hand = {};  ///< their answers still come: they stay open
    bool closed_well = false;  ///< the database was in use until now: it is not read whole
};

struct SqliteStoreSettings {
    std::filesystem::path path = {};  ///< of the database; its lock is next to it
    /// of this run of the machine; another one after each loss of its power
    std::string boot = {};
    BoxNumber box = {};                 ///< in the ids that it gives out; 0: it is in no fleet
    std::int64_t capacity = 1'000'000;  ///< waiting messages; beyond: queue_full
    std::chrono::seconds duplicate_window{0};  ///< same number and text; 0: off
    /// a ref is known this long at least
    std::chrono::seconds ref_retention = std::chrono::hours(24);
    /// from a restart to the policy, for what was in a modem's hand
    std::chrono::seconds uncertain_after{900};
    /// segments of one reference join within
    std::chrono::seconds concat_window = std::chrono::hours(24);
    /// a report waits for its attempt this long
    std::chrono::seconds report_window = std::chrono::days(3);
    /// within it a network that heard no RP-ACK sends the same PDU again
    std::chrono::seconds repeat_window = std::chrono::minutes(5);
    /// of the configuration: others are forgotten; empty: none is
    std::vector<std::string> slots = {};

    std::uint32_t writer_cache_kib = 8'192;  ///< the growing edges of all tables and indexes
    std::uint32_t reader_cache_kib = 512;
    std::size_t readers_max = 4;           ///< reading connections
    std::chrono::seconds reader_idle{60};  ///< a reading connection unused this long is closed
    int checkpoint_kib = 4'096;  ///< of the log before a checkpoint, which takes some 5 ms
    /// octets of a database whose pages are given the size of a new one's: some seconds, once
    std::uintmax_t rewrite_max = 32UL * 1024 * 1024;
    /// octets of a database that is read whole at each start: a second
    std::uintmax_t quick_check_max = 64UL * 1024 * 1024;
    std::size_t intake_waiting_max =
        8'192;  ///< intake commands on their way to disk; beyond: queue_full
    /// the end of an attempt waits this long for a commit that it shares; 0: it has its own
    std::chrono::milliseconds share_within{0};
    StoreTakenOver taken_over = {};
    /// where nothing can be written, open() gives a store that only reads
    bool may_read_only = false;
};

}  // namespace smsrack::db
