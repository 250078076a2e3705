/// The store of one run, with its writing thread and the pool of its readers.
///
/// Threads: the main thread; readers() and the store itself as they say.
#pragma once

#include "db/sqlite_store.hpp"
#include "firmware-host/fleet_side.hpp"
#include "firmware-host/rack_address.hpp"
#include "firmware-host/run.hpp"
#include "firmware-host/upgrade/hand_over.hpp"
#include "src/base/thread_pool.hpp"
#include "src/base/worker.hpp"
#include "src/ports/store_rules.hpp"

#include <memory>
#include <optional>

namespace smsrack::host {

class OpenStore {
public:
    /// It outlives the object.
    explicit OpenStore(Run& run);

    /// Reports to `address`, whose events begin after what is in the store. The lock of `left` is taken, and
    /// the attempts of its lines that continue stay open. `fleet`: null where this box is in none; outlives the store.
    /// Errors: those of db::SqliteStore::open().
    [[nodiscard]] Result<> open(HandOver& left, bool may_read_only, RackAddress& address,
                                const FleetSide* fleet = nullptr);
    /// What waits is written, and the files are left to the next store.
    void leave();
    /// The readers end first, then what still waits is written.
    void close();

    [[nodiscard]] db::SqliteStore& operator*() const { return *store_; }
    [[nodiscard]] db::SqliteStore* operator->() const { return store_.get(); }
    [[nodiscard]] Executor& readers() { return *readers_; }
    [[nodiscard]] const Worker& writer() const { return *worker_; }

private:
    Run& run_;
    ports::StoreRules rules_;
    std::unique_ptr<ThreadPool> readers_;
    SemaphoreWaiter waiter_;
    std::unique_ptr<db::SqliteStore> store_;
    std::optional<Worker> worker_;
};

}  // namespace smsrack::host
