/// What the writing thread owns: its connection and what is in memory in addition to the rows.
///
/// Threads: the writing thread; exclusive() by any.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/hash_index.hpp"
#include "db/engine/names.hpp"
#include "db/engine/store_fault.hpp"
#include "db/engine/write_batcher.hpp"
#include "db/engine/writer.hpp"
#include "db/settings.hpp"
#include "db/upkeep/anonymise.hpp"
#include "db/upkeep/clock_record.hpp"
#include "db/upkeep/retention.hpp"
#include "db/write/last_answers.hpp"
#include "db/write/ledger.hpp"
#include "db/write/rack_history.hpp"
#include "src/base/log.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace smsrack::db {

class WriteEngine final : public BatchFrame {
public:
    /// Reads what it needs; `connection` is migrated already. All others outlive the object.
    /// `guard`: null if the clock is not watched.
    WriteEngine(std::unique_ptr<Connection> connection, const SqliteStoreSettings& settings,
                const ports::StoreRules& rules, ports::StoreListener& listener, const Clock& clock,
                Log& log, const GuardedClock* guard);

    /// The transaction that a stop of any kind asks for.
    void recover(const LastAnswers& answers, std::span<const AttemptId> in_hand);

    /// At start: the numbers of new rows continue above this one.
    void skip_to(std::int64_t number) { ledger_.skip_to(number); }

    [[nodiscard]] Writer& writer() { return writer_; }
    [[nodiscard]] const Ledger& ledger() const { return ledger_; }
    [[nodiscard]] const StoreFaults& faults() const { return faults_; }

    /// The connection only reads, for this reason: every batch is refused with it. Before the first
    /// batch.
    void only_read(const Error& why);
    /// In place of one that was asked for and will not be made.
    void no_move() {
        moves_.push_back({});
        moves_kept_ = moves_.size();
    }

    /// At start, before the writing thread or while it runs: one transaction of its own.
    [[nodiscard]] GroupId group_now(const std::string& name);

    [[nodiscard]] bool announce(WriteJob& job) override;
    void begin() override;
    void commit() override;
    void committed() override;
    void rolled_back(const Error& failure) override;
    void given_up(const Error& failure) override;
    void rest(bool lines_wait) override;

private:
    std::unique_ptr<Connection> connection_;
    ports::StoreListener& listener_;
    Log& log_;
    Ledger ledger_;
    HashIndex hashes_;
    Names names_;
    Retention retention_ = {};
    Anonymiser anonymiser_ = {};
    RackHistory history_ = {};
    std::vector<ClockMove> moves_ = {};
    std::size_t moves_kept_ = 0;  // the others are of the batch that runs
    Writer writer_;
    ClockRecord clock_record_;
    std::int64_t changes_ = 0;  // before the batch that runs
    StoreFaults faults_ = {};
    std::optional<Error> only_reads_ = {};  // why every batch is refused
    std::int32_t unknown_groups_ = 0;       // while it only reads: names that have no row
    const int checkpoint_pages_;
    int checkpoint_at_;             // log pages
    int log_pages_ = 0;             // after the last batch
    std::uint64_t log_writes_ = 0;  // likewise
    bool has_written_ = false;      // the last batch wrote to the log
    bool failing_ = false;          // the last batch was not kept
    std::mutex
        batch_mutex_;  // held from begin() to commit() or rolled_back(): one transaction at a time
};

}  // namespace smsrack::db
