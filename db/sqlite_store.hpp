/// The store on SQLite: WAL, synchronous=FULL, one writer with group commit, a pool of readers.
///
/// Use: open() it, run writer() on a Worker whose Waiter was given, stop that Worker, then destroy
/// the object, which writes what still waits. The readers' executor has ended or is empty by then.
/// Threads: as ports::Store; the writing thread is the one that steps writer().
/// Errors:  as ports::Store.
#pragma once

#include "db/settings.hpp"
#include "src/base/clock.hpp"
#include "src/base/executor.hpp"
#include "src/base/guarded_clock.hpp"
#include "src/base/log.hpp"
#include "src/base/waiter.hpp"
#include "src/base/worker.hpp"
#include "src/ports/audit_store.hpp"
#include "src/ports/client_store.hpp"
#include "src/ports/control_store.hpp"
#include "src/ports/fleet_store.hpp"
#include "src/ports/rack_store.hpp"
#include "src/ports/store.hpp"
#include "src/ports/store_health.hpp"
#include "src/ports/store_rules.hpp"
#include "src/ports/trigger_store.hpp"
#include "src/ports/webhook_store.hpp"
#include "src/stats/stats.hpp"

#include <filesystem>
#include <memory>
#include <optional>

namespace smsrack::db {

struct StoreParts;

/// What the store is given; all outlive it.
struct StoreSurroundings {
    const ports::StoreRules& rules;
    ports::StoreListener& listener;
    Executor& readers;
    Waiter& waiter;  ///< of the writing thread
    const Clock& clock;
    Log& log;
    stats::Stats* stats = nullptr;  ///< null: nothing is counted
    GuardedClock* guard = nullptr;  ///< told the newest row before anything is dated; null: none
};

class SqliteStore final : public ports::Store,
                          public ports::RackStore,
                          public ports::ControlStore,
                          public ports::StoreHealth,
                          public ports::TriggerStore,
                          public ports::ClientStore,
                          public ports::AuditStore,
                          public ports::WebhookStore,
                          public ports::FleetStore {
public:
    /// Takes the state folder, migrates, recovers what a crash left. A damaged database is set
    /// aside, and a new one begun: nothing else would bring the box back without a person.
    /// With settings.may_read_only, a store that finds no room to write only reads: reads_only().
    /// busy (names the process that has it), newer_database, damaged_database (another program's, or
    /// it can't be set aside), storage.
    [[nodiscard]] static Result<std::unique_ptr<SqliteStore>> open(
        const SqliteStoreSettings& settings, const StoreSurroundings& surroundings);
    SqliteStore(const SqliteStore&) = delete;
    SqliteStore& operator=(const SqliteStore&) = delete;
    ~SqliteStore() override;

    /// Where the damaged database is that was found at this start; empty: it was whole.
    [[nodiscard]] const std::filesystem::path& damaged() const;

    /// It was opened without being able to write: it answers questions, and refuses all else with storage. Nothing was recovered; who
    /// wants to write opens another store, when try_disk() says that it can.
    [[nodiscard]] bool reads_only() const;

    /// No event has a higher seq as yet. Before writer() is first stepped.
    [[nodiscard]] EventSeq opened_at() const;

    /// Writes what waits, when no thread steps writer() any more. What follows is another store on the same
    /// files, at once: the log is not copied into the database first.
    void leave_to_next();
    /// A further descriptor of the state folder's lock, for the process that opens the store next; the caller closes it.
    [[nodiscard]] int duplicate_lock() const;

    /// The body of the writing thread.
    [[nodiscard]] Stepper& writer();

    using ports::AuditStore::ask;
    using ports::AuditStore::post;
    using ports::ClientStore::post;
    using ports::ControlStore::post;
    using ports::FleetStore::ask;
    using ports::FleetStore::post;
    using ports::RackStore::ask;
    using ports::RackStore::post;
    using ports::Store::ask;
    using ports::Store::post;
    using ports::TriggerStore::ask;
    using ports::TriggerStore::post;
    using ports::WebhookStore::ask;
    using ports::WebhookStore::post;

    [[nodiscard]] Result<GroupId> group_id(const std::string& name) override;
    void note_answer(AttemptId attempt, const SubmitOutcome& outcome) override;
    [[nodiscard]] ports::StateCounts counts() const override;
    [[nodiscard]] ports::LevelCounts waiting() const override;
    [[nodiscard]] ports::LevelCounts work(GroupId group) const override;

    [[nodiscard]] std::optional<ports::StoreTrouble> trouble() const override;
    void look_after() override;

private:
    explicit SqliteStore(std::unique_ptr<StoreParts> parts);
    void begin_anew();
    void write_all();

    void take(ports::Store::Call&& call) override;
    void take(ports::RackStore::Call&& call) override;
    void take(ports::ControlStore::Call&& call) override;
    void take(ports::TriggerStore::Call&& call) override;
    void take(ports::ClientStore::Call&& call) override;
    void take(ports::AuditStore::Call&& call) override;
    void take(ports::WebhookStore::Call&& call) override;
    void take(ports::FleetStore::Call&& call) override;
    void read(ports::Store::Job job) override;
    void read(ports::RackStore::Job job) override;
    void read(ports::TriggerStore::Job job) override;
    void read(ports::AuditStore::Job job) override;
    void read(ports::WebhookStore::Job job) override;
    void read(ports::FleetStore::Job job) override;

    std::unique_ptr<StoreParts> parts_;
};

}  // namespace smsrack::db
