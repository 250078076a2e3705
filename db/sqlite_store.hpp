/// The store on SQLite: WAL, synchronous=FULL, one writer with group commit, a pool of readers.
///
/// Use: open() it, run writer() on a Worker whose Waiter was given, stop that Worker, then destroy
/// the object, which writes what still waits. The readers' executor has ended or is empty by then.
/// Threads: as ports::Store; the writing thread is whoever steps writer().
/// Errors:  as ports::Store.
#pragma once

#include "db/settings.hpp"
#include "src/base/clock.hpp"
#include "src/base/executor.hpp"
#include "src/base/guarded_clock.hpp"
#include "src/base/log.hpp"
#include "src/base/waiter.hpp"
#include "src/base/worker.hpp"
#include "src/ports/client_store.hpp"
#include "src/ports/control_store.hpp"
#include "src/ports/rack_store.hpp"
#include "src/ports/store.hpp"
#include "src/ports/store_health.hpp"
#include "src/ports/store_rules.hpp"
#include "src/ports/trigger_store.hpp"
#include "src/stats/stats.hpp"

#include <filesystem>
#include <memory>
#include <optional>

namespace smsrack::db {

/// What the store is given; all outlive it.
struct StoreSurroundings {
    const ports::StoreRules& rules;
    ports::StoreListener& listener;
    Executor& readers;
    Waiter& waiter;  ///< of the writing thread
    const Clock& clock;
    Log& log;
    stats::Stats* stats = nullptr;  ///< null: nobody counts
    GuardedClock* guard = nullptr;  ///< told the newest row before anything is dated; null: none
};

class SqliteStore final : public ports::Store,
                          public ports::RackStore,
                          public ports::ControlStore,
                          public ports::StoreHealth,
                          public ports::TriggerStore,
                          public ports::ClientStore {
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
    /// A further descriptor of the state folder's lock, for whoever opens the store next; the caller closes it.
    [[nodiscard]] int duplicate_lock() const;

    /// The body of the writing thread.
    [[nodiscard]] Stepper& writer();

    [[nodiscard]] Result<GroupId> group_id(const std::string& name) override;
    void sim_id(const std::string& iccid, const std::string& imsi,
                ports::Done<SimId> done) override;
    void used_quota(SimId sim, std::int64_t month, ports::Done<ports::UsedQuota> done) override;

    void accept(NewMessage message, ports::Done<ports::Accepted> done) override;
    void begin_attempt(ports::AttemptStart start, ports::Done<AttemptId> done) override;
    void end_attempt(ports::AttemptEnd end, ports::Done<ports::AttemptApplied> done) override;
    void note_answer(AttemptId attempt, const SubmitOutcome& outcome) override;
    void finish(MessageId message, MessageEvent event, std::string detail, WallTime at,
                ports::Done<MessageState> done) override;
    void resend(MessageId message, AttemptId doubt, WallTime at, ports::Done<void> done) override;
    void put_back(MessageId message, WallTime at) override;
    void restart(MessageId message, std::string detail, WallTime due_at, WallTime at,
                 ports::Done<void> done) override;
    void take_due(WallTime now, ports::DueWishes wishes,
                  ports::Done<std::vector<OutMessage>> done) override;
    void expire_overdue(WallTime now, std::size_t limit, ports::Done<std::size_t> done) override;
    void note_attempt(AttemptId attempt, ports::AttemptNote note) override;

    void keep_inbound(InboundSegment segment, ports::Done<InboundKept> done) override;
    void keep_report(StatusReport report, ports::Done<ReportKept> done) override;
    void forget_held(SimId sim, HeldPlace place) override;
    void forget_held_elsewhere(SimId sim, HeldIn memory,
                               std::vector<std::uint16_t> indexes) override;
    void release_incomplete(WallTime before, std::size_t limit,
                            ports::Done<std::size_t> done) override;

    void begin_pin_try(ports::PinTry pin, WallTime at, ports::Done<bool> done) override;
    void end_pin_try(ports::PinTry pin, bool taken) override;
    void pair_slot(ports::SlotSeen seen, ports::Done<ports::SlotKnown> done) override;

    void move_times(ClockMove move, ports::Done<std::size_t> done) override;
    void anonymise(std::optional<WallTime> messages_before, std::optional<WallTime> inbox_before,
                   std::size_t limit, ports::Done<std::size_t> done) override;
    void keep_event(Event event) override;
    void remove_old(WallTime messages_before, WallTime inbox_before, std::size_t limit,
                    ports::Done<std::size_t> done) override;
    void read(std::move_only_function<void(ports::StoreReader&)> job) override;
    void keep_gate(std::string line, bool blocked, WallTime at, ports::Done<void> kept) override;
    void keep_decision(ports::KeptDecision decision) override;
    void lose_self_sms(WallTime overdue, WallTime at) override;
    void count_traffic(ports::HourTraffic traffic) override;
    void read_rack(std::move_only_function<void(ports::RackReader&)> job) override;

    [[nodiscard]] ports::StateCounts counts() const override;
    [[nodiscard]] ports::LevelCounts waiting() const override;
    [[nodiscard]] ports::LevelCounts work(GroupId group) const override;

    void pause(ports::PauseScope scope, std::string name, WallTime at,
               ports::Done<bool> done) override;
    void resume(ports::PauseScope scope, std::string name, WallTime at,
                ports::Done<bool> done) override;
    void cancel_batch(std::string name, WallTime at, ports::Done<ports::BatchRow> done) override;
    void cancel_some(WallTime at, std::size_t limit, ports::Done<bool> done) override;
    void put_off(MessageId message, WallTime until, WallTime at,
                 ports::Done<std::optional<WallTime>> done) override;
    void opt_out(std::string number, WallTime at, ports::Done<bool> done) override;
    void opt_in(std::string number, ports::Done<bool> done) override;

    void topic_ids(std::string trigger, std::vector<std::string> names,
                   ports::Done<std::vector<ports::TopicId>> done) override;
    void claim(std::vector<ports::Claim> claims,
               ports::Done<std::vector<Result<ports::Claimed>>> done) override;
    void note_days(std::vector<ports::TriggerDays> triggers, ports::Done<void> done) override;
    void forget(std::vector<ports::Pair> pairs, WallTime before,
                ports::Done<std::size_t> done) override;
    void read_pairs(std::move_only_function<void(ports::TriggerReader&)> job) override;
    void register_client(ports::ClientArrival arrival, ports::Done<ports::ClientRow> done) override;
    void acknowledge(std::string name, EventSeq taken, WallTime at,
                     ports::Done<ports::ClientRow> done) override;
    void gate_client(std::string name, ports::ClientGateOrder order, WallTime at,
                     ports::Done<ports::ClientRow> done) override;
    void forget_client(std::string name, WallTime at, ports::Done<ports::ClientRow> done) override;

    [[nodiscard]] std::optional<ports::StoreTrouble> trouble() const override;
    void look_after() override;

private:
    class Engine;
    [[nodiscard]] static Result<std::unique_ptr<Engine>> begin(const SqliteStoreSettings& settings,
                                                               const StoreSurroundings& around);
    [[nodiscard]] static Result<std::unique_ptr<Engine>> begin_reading(
        const SqliteStoreSettings& settings, const StoreSurroundings& around, const Error& why);
    explicit SqliteStore(std::unique_ptr<Engine> engine);
    void begin_after(std::filesystem::path damaged);

    std::unique_ptr<Engine> engine_;
};

}  // namespace smsrack::db
