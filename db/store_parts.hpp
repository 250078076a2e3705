/// The parts of a SqliteStore, which it puts to work.
///
/// Threads: see the parts; the atomics by any.
#pragma once

#include "db/engine/connection_pool.hpp"
#include "db/engine/counted_disk.hpp"
#include "db/engine/state_lock.hpp"
#include "db/engine/write_batcher.hpp"
#include "db/engine/write_engine.hpp"
#include "db/settings.hpp"
#include "db/sqlite_store.hpp"
#include "db/write/last_answers.hpp"
#include "src/base/clock.hpp"
#include "src/base/executor.hpp"

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>

namespace smsrack::db {

struct StoreParts {
    /// `immutable`: nothing writes to the database, and it has no log.
    /// `disk` is what the connection writes through; null: the default VFS.
    StoreParts(SqliteStoreSettings given, const StoreSurroundings& around,
               std::unique_ptr<CountedDisk> disk, std::unique_ptr<Connection> connection,
               bool immutable = false);

    const SqliteStoreSettings settings;
    const Clock& clock;
    Executor& readers;
    std::atomic<std::size_t> moves_asked = 0;  // of the clock
    std::atomic<bool> looked_after = false;    // look_after() is under way
    std::atomic<bool> walk_is_open = false;    // db/write/clock_walk
    std::atomic<bool> walks = false;           // a step of it is under way
    bool reads_only = false;

    std::optional<StateLock> lock = {};  // once it is this store's; let go last
    std::filesystem::path damaged = {};  // where the damaged database is; empty: it was whole
    std::unique_ptr<CountedDisk> disk;   // before the connection, which is closed first
    LastAnswers answers;
    WriteEngine write;
    WriteBatcher batcher;
    ConnectionPool pool;
};

/// Takes the state folder and opens its database; see SqliteStore::open().
[[nodiscard]] Result<std::unique_ptr<StoreParts>> open_parts(const SqliteStoreSettings& settings,
                                                             const StoreSurroundings& around);

}  // namespace smsrack::db
