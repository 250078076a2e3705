#include "db/engine/write_engine.hpp"

#include "db/upkeep/recovery.hpp"
#include "db/upkeep/set_aside.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::db {
namespace {

// While the lines' jobs keep coming, a checkpoint is put off until the log is this many times its
// usual length.
constexpr int patience = 4;

int pages_of(int kib, Connection& connection) {
    return kib * 1024 / std::max(connection.page_octets(), 1);
}

}  // namespace

WriteEngine::WriteEngine(std::unique_ptr<Connection> connection,
                         const SqliteStoreSettings& settings, const ports::StoreRules& rules,
                         ports::StoreListener& listener, const Clock& clock, Log& log,
                         const GuardedClock* guard)
    : connection_(std::move(connection)),
      listener_(listener),
      log_(log),
      ledger_(*connection_),
      hashes_(*connection_, {}),
      names_(*connection_),
      writer_{.db = *connection_,
              .ledger = ledger_,
              .hashes = hashes_,
              .names = names_,
              .rules = rules,
              .settings = settings,
              .retention = retention_,
              .anonymiser = anonymiser_,
              .history = history_,
              .clock = clock,
              .moves = moves_},
      clock_record_(guard, settings.boot, *connection_),
      checkpoint_pages_(pages_of(settings.checkpoint_kib, *connection_)),
      checkpoint_at_(checkpoint_pages_) {}

void WriteEngine::recover(const LastAnswers& answers, std::span<const AttemptId> in_hand) {
    begin();
    try {
        const Recovered recovered = db::recover(writer_, answers, in_hand, writer_.clock.wall());
        commit();
        hashes_.committed();
        ledger_.committed();
        history_.committed();
        clock_record_.committed();
        log_writes_ = connection_->log_writes();
        if (recovered.uncertain + recovered.answered + recovered.going_on > 0) {
            log_.info("store_recovered", {{"uncertain", recovered.uncertain},
                                          {"answered", recovered.answered},
                                          {"going_on", recovered.going_on}});
        }
    } catch (const StorageFailure& failure) {
        rolled_back(failure.error);
        throw;
    }
}

void WriteEngine::only_read(const Error& why) {
    only_reads_ = why;
    faults_.reads_only(why, writer_.settings.path.parent_path(), writer_.clock.wall());
}

/// A group without a row has no messages: while nothing can be written, a number that no row has represents it.
GroupId WriteEngine::group_now(const std::string& name) {
    const std::lock_guard lock(batch_mutex_);
    if (only_reads_) {
        const auto known = names_.known_group(name);
        return known ? *known : GroupId{--unknown_groups_};
    }
    return names_.group(name);
}

/// group_now() writes on its caller's thread, so the connection is this thread's with the mutex only.
bool WriteEngine::announce(WriteJob& job) {
    const std::lock_guard lock(batch_mutex_);
    bool announced = false;
    const Result<> done = guarded([&]() -> Result<> {
        if (only_reads_) {
            return {};
        }
        // All that it reads is read with one lock.
        connection_->run("BEGIN");
        announced = job.announce(listener_);
        connection_->run("COMMIT");
        return {};
    });
    connection_->roll_back();  // after a failure
    return done && announced;
}

void WriteEngine::begin() {
    batch_mutex_.lock();
    ledger_.begin();
    if (only_reads_) {
        throw StorageFailure{*only_reads_};
    }
    connection_->run("BEGIN IMMEDIATE");
    changes_ = connection_->all_changes();
}

void WriteEngine::commit() {
    hashes_.write_step();
    ledger_.write_head();
    history_.write_if_over(*connection_, writer_.clock.wall(), ledger_.queued_messages());
    if (connection_->all_changes() != changes_) {
        clock_record_.write_if_changed(*connection_, moves_);
    }
    connection_->run("COMMIT");
    const std::uint64_t log_writes = connection_->log_writes();
    has_written_ = std::exchange(log_writes_, log_writes) != log_writes;
    batch_mutex_.unlock();
}

void WriteEngine::committed() {
    hashes_.committed();
    ledger_.committed();
    history_.committed();
    clock_record_.committed();
    moves_kept_ = moves_.size();
    ledger_.tell(listener_);
    // A batch that wrote nothing says nothing of the disk.
    if (has_written_) {
        faults_.kept();
    }
    if (has_written_ && std::exchange(failing_, false)) {
        log_.info("store_recovers");
    }
}

void WriteEngine::rolled_back(const Error& failure) {
    connection_->roll_back();
    hashes_.rolled_back();
    ledger_.rolled_back();
    history_.rolled_back();
    clock_record_.rolled_back();
    names_.rolled_back();
    moves_.resize(moves_kept_);
    batch_mutex_.unlock();
    faults_.failed(failure, writer_.settings.path.parent_path(), writer_.clock.wall());
    if (failure.code == Errc::damaged_database) {
        mark_suspect(writer_.settings.path);
    }
    if (!std::exchange(failing_, true)) {
        log_.error("store_fails", {{"sqlite", failure.detail}, {"what", failure.context}});
    }
}

void WriteEngine::given_up(const Error& failure) {
    log_.error("store_write_given_up", {{"sqlite", failure.detail}, {"what", failure.context}});
}

/// With the mutex, as announce().
void WriteEngine::rest(bool lines_wait) {
    const std::lock_guard lock(batch_mutex_);
    const int pages = connection_->log_pages();
    if (pages < std::exchange(log_pages_, pages)) {
        checkpoint_at_ = checkpoint_pages_;  // the log began again
    }
    if (pages < checkpoint_at_ || (lines_wait && pages < patience * checkpoint_at_)) {
        return;
    }
    if (connection_->checkpoint() < 0) {
        log_.warn("store_checkpoint_fails");
    }
    // where a reader keeps the log from beginning again
    checkpoint_at_ = pages + checkpoint_pages_;
}

}  // namespace smsrack::db
