#include "db/sqlite_store.hpp"

#include "db/accepting.hpp"
#include "db/anonymise.hpp"
#include "db/attempt_notes.hpp"
#include "db/attempts.hpp"
#include "db/batches.hpp"
#include "db/before_migration.hpp"
#include "db/claims.hpp"
#include "db/clients.hpp"
#include "db/connection_pool.hpp"
#include "db/held_places.hpp"
#include "db/inbound.hpp"
#include "db/last_answers.hpp"
#include "db/lifecycle.hpp"
#include "db/migrate.hpp"
#include "db/opt_outs.hpp"
#include "db/pair_queries.hpp"
#include "db/pauses.hpp"
#include "db/pin_tries.hpp"
#include "db/queries.hpp"
#include "db/rack_rows.hpp"
#include "db/recovery.hpp"
#include "db/reports.hpp"
#include "db/reserve.hpp"
#include "db/self_sms.hpp"
#include "db/set_aside.hpp"
#include "db/sim_quota.hpp"
#include "db/slots.hpp"
#include "db/state_lock.hpp"
#include "db/unreadable_store.hpp"
#include "db/write_engine.hpp"

#include <algorithm>
#include <atomic>
#include <span>
#include <utility>

namespace smsrack::db {
namespace {

// A full intake queue is through in less.
constexpr std::chrono::milliseconds backlog_retry_after{1'000};

std::filesystem::path lock_file(const std::filesystem::path& database) {
    return std::filesystem::path(database).replace_filename("lock");
}

std::filesystem::path answers_file(const std::filesystem::path& database) {
    return std::filesystem::path(database).replace_filename("answers");
}

Result<std::unique_ptr<Connection>> open_whole(const SqliteStoreSettings& settings) {
    auto connection = Connection::open(
        settings.path, {.may_create = true, .cache_kib = settings.writer_cache_kib});
    if (!connection) {
        return connection;
    }
    const auto version = known_version(**connection, migrations());
    if (!version) {
        return std::unexpected(version.error());
    }
    if (settings.taken_over.closed_well) {
        // Nothing was cut off, so there is nothing to look for.
    } else if (auto whole = quick_check(**connection, settings.path, settings.quick_check_max);
               !whole) {
        return std::unexpected(std::move(whole.error()));
    }
    if (*version > 0 && static_cast<std::size_t>(*version) < migrations().size()) {
        if (auto kept = keep_before_migration(settings.path, *version); !kept) {
            return std::unexpected(std::move(kept.error()));
        }
    }
    if (auto migrated = migrate(**connection, migrations()); !migrated) {
        return std::unexpected(std::move(migrated.error()));
    }
    return connection;
}

/// Those that what was posted when `asked` had been asked for does not know of.
std::span<const ClockMove> moves_since(const Writer& writer, std::size_t asked) {
    const std::span<const ClockMove> all = writer.moves;
    return all.subspan(std::min(asked, all.size()));
}

/// SQLite says so; a database that is whole but another program's is left alone.
bool is_broken(const Error& error) {
    return error.code == Errc::damaged_database && error.detail != 0;
}

}  // namespace

class SqliteStore::Engine {
public:
    Engine(SqliteStoreSettings given, const StoreSurroundings& around,
           std::unique_ptr<Connection> connection, bool immutable = false)
        : settings(std::move(given)),
          clock(around.clock),
          readers(around.readers),
          answers(answers_file(settings.path), settings.boot),
          write(std::move(connection), settings, around.rules, around.listener, around.clock,
                around.log),
          batcher({.intake_waiting_max = settings.intake_waiting_max}, write, around.waiter,
                  around.clock),
          pool(settings.path,
               {.connections_max = settings.readers_max,
                .idle_max = settings.reader_idle,
                .cache_kib = settings.reader_cache_kib,
                .immutable = immutable},
               around.clock) {
        if (around.stats != nullptr) {
            batcher.count_in(*around.stats);
        }
    }

    /// `work` gets the Writer and gives Result<T>.
    template <typename T, typename Work>
    void post(Lane lane, ports::Done<T> done, Work work, Refused refused = Refused::tell) {
        batcher.post(
            lane,
            make_write<T>([this, work = std::move(work)]() mutable { return work(write.writer()); },
                          std::move(done), refused));
    }

    const SqliteStoreSettings settings;
    const Clock& clock;
    Executor& readers;
    std::atomic<std::size_t> moves_asked = 0;  // of the clock
    std::atomic<bool> looked_after = false;    // look_after() is under way
    bool reads_only = false;

    std::optional<StateLock> lock = {};  // once it is this store's; let go last
    std::filesystem::path damaged = {};
    Anonymiser anonymiser = {};
    LastAnswers answers;
    WriteEngine write;
    WriteBatcher batcher;
    ConnectionPool pool;
};

Result<std::unique_ptr<SqliteStore::Engine>> SqliteStore::begin(const SqliteStoreSettings& settings,
                                                                const StoreSurroundings& around) {
    auto connection = open_whole(settings);
    if (!connection) {
        return std::unexpected(std::move(connection.error()));
    }
    return guarded([&]() -> Result<std::unique_ptr<Engine>> {
        if (around.guard != nullptr) {
            around.guard->not_before(newest_row(**connection));
        }
        forget_other_slots(**connection, settings.slots);
        auto engine = std::make_unique<Engine>(settings, around, *std::move(connection));
        engine->write.recover(engine->answers, settings.taken_over.in_hand);
        engine->answers.begin_anew();
        return engine;
    });
}

/// Without a log the database is read as it lies: the file that shares the index of a log could not be made.
Result<std::unique_ptr<SqliteStore::Engine>> SqliteStore::begin_reading(
    const SqliteStoreSettings& settings, const StoreSurroundings& around, const Error& why) {
    const bool immutable = !has_log(settings.path);
    auto connection = Connection::open(
        settings.path,
        {.read_only = true, .immutable = immutable, .cache_kib = settings.writer_cache_kib});
    if (!connection) {
        return std::unexpected(std::move(connection.error()));
    }
    const auto version = known_version(**connection, migrations());
    if (!version || static_cast<std::size_t>(*version) != migrations().size()) {
        return std::unexpected(version ? why : version.error());  // it would have to be migrated
    }
    return guarded([&]() -> Result<std::unique_ptr<Engine>> {
        if (around.guard != nullptr) {
            around.guard->not_before(newest_row(**connection));
        }
        auto engine = std::make_unique<Engine>(settings, around, *std::move(connection), immutable);
        engine->write.only_read(why);
        engine->reads_only = true;
        return engine;
    });
}

Result<std::unique_ptr<SqliteStore>> SqliteStore::open(const SqliteStoreSettings& settings,
                                                       const StoreSurroundings& surroundings) {
    auto lock = settings.taken_over.lock >= 0
                    ? Result<StateLock>(StateLock::adopt(settings.taken_over.lock))
                    : StateLock::take(lock_file(settings.path));
    if (!lock) {
        return std::unexpected(std::move(lock.error()));
    }
    std::filesystem::path damaged;
    forget_kept(settings.path, surroundings.clock.wall());
    auto engine = begin(settings, surroundings);
    if (!engine && is_broken(engine.error())) {
        auto renamed = set_aside(settings.path, surroundings.clock.wall());
        if (!renamed) {
            return fail(Errc::damaged_database,
                        engine.error().context + "; " + renamed.error().context);
        }
        damaged = *std::move(renamed);
        surroundings.log.error("database_set_aside", {{"why", engine.error().context},
                                                      {"file", damaged.string()},
                                                      {"begun", "a new, empty one"}});
        engine = begin(settings, surroundings);
    }
    if (!engine && settings.may_read_only && has_no_room(engine.error())) {
        const Error why = engine.error();
        engine = begin_reading(settings, surroundings, why);
        if (!engine && give_reserve_back(settings.path)) {
            engine = begin_reading(settings, surroundings, why);
        }
        if (engine) {
            surroundings.log.error("store_reads_only", {{"why", why.context}});
        } else {
            engine = std::unexpected(why);
        }
    }
    if (!engine) {
        return std::unexpected(std::move(engine.error()));
    }
    if (settings.may_read_only && !(*engine)->reads_only) {
        keep_reserve(settings.path);
    }
    (*engine)->lock.emplace(*std::move(lock));
    std::unique_ptr<SqliteStore> store(new SqliteStore(*std::move(engine)));
    if (!damaged.empty()) {
        store->begin_after(std::move(damaged));
    }
    return store;
}

/// Numbers that clients know from before are not given again: these go on from the time.
void SqliteStore::begin_after(std::filesystem::path damaged) {
    const WallTime now = engine_->clock.wall();
    engine_->write.skip_to(now.time_since_epoch().count());
    engine_->damaged = std::move(damaged);
    keep_event({.at = now, .type = EventType::service_notice, .detail = "database_set_aside"});
}

const std::filesystem::path& SqliteStore::damaged() const {
    return engine_->damaged;
}

SqliteStore::SqliteStore(std::unique_ptr<Engine> engine) : engine_(std::move(engine)) {}

SqliteStore::~SqliteStore() {
    engine_->batcher.drain();
}

void SqliteStore::leave_to_next() {
    engine_->batcher.drain();
    engine_->write.writer().db.keep_log();
}

int SqliteStore::duplicate_lock() const {
    return engine_->lock->duplicate();
}

bool SqliteStore::reads_only() const {
    return engine_->reads_only;
}

std::optional<ports::StoreTrouble> SqliteStore::trouble() const {
    return engine_->write.faults().trouble();
}

/// A number of the sequence is spent, so that the commit has something to write.
void SqliteStore::look_after() {
    if (engine_->looked_after.exchange(true)) {
        return;
    }
    engine_->post<void>(
        Lane::upkeep,
        [engine = engine_.get()](const Result<>&) {
            engine->pool.close_idle();
            engine->looked_after = false;
        },
        [](Writer& w) -> Result<> {
            (void)w.ledger.next_number();
            return {};
        });
}

EventSeq SqliteStore::opened_at() const {
    return EventSeq{engine_->write.ledger().last_number()};
}

Stepper& SqliteStore::writer() {
    return engine_->batcher;
}

Result<GroupId> SqliteStore::group_id(const std::string& name) {
    return guarded([&]() -> Result<GroupId> { return engine_->write.group_now(name); });
}

void SqliteStore::sim_id(const std::string& iccid, const std::string& imsi,
                         ports::Done<SimId> done) {
    engine_->post<SimId>(Lane::line, std::move(done), [iccid, imsi](Writer& w) -> Result<SimId> {
        return w.names.sim(iccid, imsi);
    });
}

void SqliteStore::used_quota(SimId sim, std::int64_t month, ports::Done<ports::UsedQuota> done) {
    engine_->post<ports::UsedQuota>(Lane::line, std::move(done),
                                    [sim, month](Writer& w) -> Result<ports::UsedQuota> {
                                        return db::used_quota(w.db, sim, month);
                                    });
}

void SqliteStore::accept(NewMessage message, ports::Done<ports::Accepted> done) {
    // The door is asked before the job is made: a refusal keeps `done`.
    if (!engine_->batcher.reserve_intake()) {
        return done(std::unexpected(Error{.code = Errc::queue_full,
                                          .context = "the disk is behind",
                                          .retry_after = backlog_retry_after}));
    }
    engine_->post<ports::Accepted>(
        Lane::intake, std::move(done),
        [message = std::move(message), asked = engine_->moves_asked.load()](Writer& w) mutable {
            date_anew(message, moves_since(w, asked));
            return accept_message(w, message);
        });
}

void SqliteStore::begin_attempt(ports::AttemptStart start, ports::Done<AttemptId> done) {
    engine_->post<AttemptId>(Lane::line, std::move(done), [start = std::move(start)](Writer& w) {
        return db::begin_attempt(w, start);
    });
}

void SqliteStore::end_attempt(ports::AttemptEnd end, ports::Done<ports::AttemptApplied> done) {
    engine_->post<ports::AttemptApplied>(
        Lane::line, std::move(done),
        [end = std::move(end)](Writer& w) { return db::end_attempt(w, end); });
}

void SqliteStore::note_answer(AttemptId attempt, const SubmitOutcome& outcome) {
    engine_->answers.note(attempt, outcome);
}

void SqliteStore::finish(MessageId message, MessageEvent event, std::string detail, WallTime at,
                         ports::Done<MessageState> done) {
    engine_->post<MessageState>(
        Lane::line, std::move(done),
        [end =
             MessageEnd{.message = message, .event = event, .detail = std::move(detail), .at = at}](
            Writer& w) { return finish_message(w, end); });
}

void SqliteStore::resend(MessageId message, AttemptId doubt, WallTime at, ports::Done<void> done) {
    engine_->post<void>(Lane::line, std::move(done),
                        [again = MessageResend{.message = message, .doubt = doubt, .at = at}](
                            Writer& w) { return resend_message(w, again); });
}

void SqliteStore::put_back(MessageId message, WallTime at) {
    engine_->post<void>(
        Lane::line, {},
        [message, at](Writer& w) -> Result<> {
            put_back_message(w, message, at);
            return {};
        },
        Refused::insist);
}

void SqliteStore::restart(MessageId message, std::string detail, WallTime due_at, WallTime at,
                          ports::Done<void> done) {
    engine_->post<void>(
        Lane::line, std::move(done),
        [anew = MessageRestart{.message = message,
                               .detail = std::move(detail),
                               .due_at = due_at,
                               .at = at}](Writer& w) { return restart_message(w, anew); });
}

void SqliteStore::take_due(WallTime now, ports::DueWishes wishes,
                           ports::Done<std::vector<OutMessage>> done) {
    engine_->post<std::vector<OutMessage>>(
        Lane::line, std::move(done),
        [now, wishes = std::move(wishes)](Writer& w) { return db::take_due(w, now, wishes); });
}

void SqliteStore::expire_overdue(WallTime now, std::size_t limit, ports::Done<std::size_t> done) {
    engine_->post<std::size_t>(Lane::upkeep, std::move(done), [now, limit](Writer& w) {
        return db::expire_overdue(w, now, limit);
    });
}

void SqliteStore::note_attempt(AttemptId attempt, ports::AttemptNote note) {
    engine_->post<void>(Lane::line, {}, [attempt, note = std::move(note)](Writer& w) -> Result<> {
        keep_note(w.db, attempt, note);
        return {};
    });
}

void SqliteStore::keep_inbound(InboundSegment segment, ports::Done<InboundKept> done) {
    engine_->post<InboundKept>(
        Lane::line, std::move(done),
        [segment = std::move(segment)](Writer& w) { return db::keep_inbound(w, segment); });
}

void SqliteStore::keep_report(StatusReport report, ports::Done<ReportKept> done) {
    engine_->post<ReportKept>(Lane::line, std::move(done), [report = std::move(report)](Writer& w) {
        return db::keep_report(w, report);
    });
}

void SqliteStore::forget_held(SimId sim, HeldPlace place) {
    engine_->post<void>(
        Lane::line, {},
        [sim, place](Writer& w) -> Result<> {
            db::forget_held(w.db, sim, place);
            return {};
        },
        Refused::insist);
}

void SqliteStore::forget_held_elsewhere(SimId sim, HeldIn memory,
                                        std::vector<std::uint16_t> indexes) {
    engine_->post<void>(
        Lane::line, {},
        [sim, memory, indexes = std::move(indexes)](Writer& w) -> Result<> {
            db::forget_held_elsewhere(w.db, sim, memory, indexes);
            return {};
        },
        Refused::insist);
}

void SqliteStore::release_incomplete(WallTime before, std::size_t limit,
                                     ports::Done<std::size_t> done) {
    engine_->post<std::size_t>(Lane::upkeep, std::move(done), [before, limit](Writer& w) {
        return db::release_incomplete(w, before, limit);
    });
}

void SqliteStore::begin_pin_try(ports::PinTry pin, WallTime at, ports::Done<bool> done) {
    engine_->post<bool>(Lane::line, std::move(done), [pin = std::move(pin), at](Writer& w) {
        return Result<bool>(db::begin_pin_try(w.db, pin, at));
    });
}

void SqliteStore::pair_slot(ports::SlotSeen seen, ports::Done<ports::SlotKnown> done) {
    engine_->post<ports::SlotKnown>(Lane::line, std::move(done),
                                    [seen = std::move(seen)](Writer& w) {
                                        return Result<ports::SlotKnown>(db::pair_slot(w.db, seen));
                                    });
}

void SqliteStore::end_pin_try(ports::PinTry pin, bool taken) {
    engine_->post<void>(
        Lane::line, {},
        [pin = std::move(pin), taken](Writer& w) -> Result<> {
            db::end_pin_try(w.db, pin, taken);
            return {};
        },
        Refused::insist);
}

void SqliteStore::move_times(ClockMove move, ports::Done<std::size_t> done) {
    ++engine_->moves_asked;
    engine_->post<std::size_t>(
        Lane::line,
        [this, done = std::move(done)](Result<std::size_t> moved) mutable {
            if (!moved) {
                engine_->write.no_move();
            }
            done(std::move(moved));
        },
        [move](Writer& w) { return db::move_times(w, move); }, Refused::insist);
}

void SqliteStore::anonymise(std::optional<WallTime> messages_before,
                            std::optional<WallTime> inbox_before, std::size_t limit,
                            ports::Done<std::size_t> done) {
    engine_->post<std::size_t>(
        Lane::upkeep, std::move(done),
        [this, messages_before, inbox_before, limit](Writer& w) -> Result<std::size_t> {
            return engine_->anonymiser.step(w.db, messages_before, inbox_before, limit);
        });
}

void SqliteStore::keep_event(Event event) {
    engine_->post<void>(Lane::line, {}, [event = std::move(event)](Writer& w) -> Result<> {
        (void)w.ledger.append(event, {});
        return {};
    });
}

void SqliteStore::remove_old(WallTime messages_before, WallTime inbox_before, std::size_t limit,
                             ports::Done<std::size_t> done) {
    engine_->post<std::size_t>(
        Lane::upkeep, std::move(done), [this, messages_before, inbox_before, limit](Writer& w) {
            const Retention::Ages ages{.messages_before = messages_before,
                                       .inbox_before = inbox_before,
                                       .reports_before = w.clock.wall() - w.settings.report_window};
            return engine_->write.retention().remove(w, ages, limit);
        });
}

void SqliteStore::read(std::move_only_function<void(ports::StoreReader&)> job) {
    engine_->readers.post([engine = engine_.get(), job = std::move(job)]() mutable {
        const auto lease = engine->pool.take();
        if (lease) {
            Queries queries(**lease);
            job(queries);
        } else {
            UnreadableStore nothing(lease.error());
            job(nothing);
        }
    });
}

void SqliteStore::keep_gate(std::string line, bool blocked, WallTime at, ports::Done<void> kept) {
    engine_->post<void>(Lane::line, std::move(kept),
                        [line = std::move(line), blocked, at](Writer& w) -> Result<> {
                            db::keep_gate(w.db, line, blocked, at);
                            return {};
                        });
}

void SqliteStore::keep_decision(ports::KeptDecision decision) {
    engine_->post<void>(Lane::line, {}, [decision = std::move(decision)](Writer& w) -> Result<> {
        db::keep_decision(w.db, w.ledger, decision);
        return {};
    });
}

void SqliteStore::count_traffic(ports::HourTraffic traffic) {
    engine_->post<void>(Lane::upkeep, {}, [traffic](Writer& w) -> Result<> {
        db::count_traffic(w.db, traffic);
        return {};
    });
}

void SqliteStore::lose_self_sms(WallTime overdue, WallTime at) {
    engine_->post<void>(Lane::upkeep, {}, [overdue, at](Writer& w) -> Result<> {
        db::lose_self_sms(w, overdue, at);
        return {};
    });
}

void SqliteStore::read_rack(std::move_only_function<void(ports::RackReader&)> job) {
    engine_->readers.post([engine = engine_.get(), job = std::move(job)]() mutable {
        if (const auto lease = engine->pool.take()) {
            RackQueries queries(**lease);
            job(queries);
        } else {
            UnreadableRack nothing(lease.error());
            job(nothing);
        }
    });
}

ports::StateCounts SqliteStore::counts() const {
    return engine_->write.ledger().counts();
}

ports::LevelCounts SqliteStore::waiting() const {
    return engine_->write.ledger().queued();
}

ports::LevelCounts SqliteStore::work(GroupId group) const {
    return engine_->write.ledger().work(group);
}

void SqliteStore::pause(ports::PauseScope scope, std::string name, WallTime at,
                        ports::Done<bool> done) {
    engine_->post<bool>(Lane::line, std::move(done),
                        [order = PauseOrder{.scope = scope, .name = std::move(name), .at = at}](
                            Writer& w) { return begin_pause(w, order); });
}

void SqliteStore::resume(ports::PauseScope scope, std::string name, WallTime at,
                         ports::Done<bool> done) {
    engine_->post<bool>(Lane::line, std::move(done),
                        [order = PauseOrder{.scope = scope, .name = std::move(name), .at = at}](
                            Writer& w) { return end_pause(w, order); });
}

void SqliteStore::cancel_batch(std::string name, WallTime at, ports::Done<ports::BatchRow> done) {
    engine_->post<ports::BatchRow>(
        Lane::line, std::move(done),
        [name = std::move(name), at](Writer& w) { return db::cancel_batch(w, name, at); });
}

void SqliteStore::cancel_some(WallTime at, std::size_t limit, ports::Done<bool> done) {
    engine_->post<bool>(Lane::upkeep, std::move(done),
                        [at, limit](Writer& w) { return db::cancel_some(w, at, limit); });
}

void SqliteStore::put_off(MessageId message, WallTime until, WallTime at,
                          ports::Done<std::optional<WallTime>> done) {
    engine_->post<std::optional<WallTime>>(
        Lane::line, std::move(done),
        [message, until, at](Writer& w) { return db::put_off(w, message, until, at); });
}

void SqliteStore::opt_out(std::string number, WallTime at, ports::Done<bool> done) {
    engine_->post<bool>(Lane::line, std::move(done), [number = std::move(number), at](Writer& w) {
        return Result<bool>(add_opt_out(w.db, {.number = number, .at = at}));
    });
}

void SqliteStore::opt_in(std::string number, ports::Done<bool> done) {
    engine_->post<bool>(Lane::line, std::move(done), [number = std::move(number)](Writer& w) {
        return Result<bool>(remove_opt_out(w.db, number));
    });
}

void SqliteStore::topic_ids(std::string trigger, std::vector<std::string> names,
                            ports::Done<std::vector<ports::TopicId>> done) {
    engine_->post<std::vector<ports::TopicId>>(
        Lane::line, std::move(done),
        [trigger = std::move(trigger), names = std::move(names)](Writer& w) {
            return Result<std::vector<ports::TopicId>>(db::topic_ids(w, trigger, names));
        });
}

void SqliteStore::claim(std::vector<ports::Claim> claims,
                        ports::Done<std::vector<Result<ports::Claimed>>> done) {
    if (!engine_->batcher.reserve_intake()) {
        return done(std::unexpected(Error{.code = Errc::queue_full,
                                          .context = "the disk is behind",
                                          .retry_after = backlog_retry_after}));
    }
    using Answers = std::vector<Result<ports::Claimed>>;
    engine_->post<Answers>(
        Lane::intake, std::move(done),
        [claims = std::move(claims), asked = engine_->moves_asked.load()](Writer& w) mutable {
            for (ports::Claim& one : claims) {
                date_anew(one, moves_since(w, asked));
            }
            return Result<Answers>(claim_pairs(w, claims));
        });
}

void SqliteStore::note_days(std::vector<ports::TriggerDays> triggers, ports::Done<void> done) {
    engine_->post<void>(Lane::upkeep, std::move(done),
                        [triggers = std::move(triggers)](Writer& w) -> Result<> {
                            db::note_days(w.db, triggers);
                            return {};
                        });
}

void SqliteStore::forget(std::vector<ports::Pair> pairs, WallTime before,
                         ports::Done<std::size_t> done) {
    engine_->post<std::size_t>(Lane::upkeep, std::move(done),
                               [pairs = std::move(pairs), before](Writer& w) {
                                   return Result<std::size_t>(forget_pairs(w.db, pairs, before));
                               });
}

void SqliteStore::read_pairs(std::move_only_function<void(ports::TriggerReader&)> job) {
    engine_->readers.post([engine = engine_.get(), job = std::move(job)]() mutable {
        if (const auto lease = engine->pool.take()) {
            PairQueries queries(**lease);
            job(queries);
        } else {
            UnreadablePairs nothing(lease.error());
            job(nothing);
        }
    });
}

void SqliteStore::register_client(ports::ClientArrival arrival,
                                  ports::Done<ports::ClientRow> done) {
    engine_->post<ports::ClientRow>(
        Lane::line, std::move(done),
        [arrival = std::move(arrival)](Writer& w) { return db::register_client(w, arrival); });
}

void SqliteStore::acknowledge(std::string name, EventSeq taken, WallTime at,
                              ports::Done<ports::ClientRow> done) {
    engine_->post<ports::ClientRow>(Lane::line, std::move(done),
                                    [name = std::move(name), taken, at](Writer& w) {
                                        return db::acknowledge(w, name, taken, at);
                                    });
}

void SqliteStore::gate_client(std::string name, ports::ClientGateOrder order, WallTime at,
                              ports::Done<ports::ClientRow> done) {
    engine_->post<ports::ClientRow>(Lane::line, std::move(done),
                                    [name = std::move(name), order, at](Writer& w) {
                                        return db::gate_client(w, name, order, at);
                                    });
}

void SqliteStore::forget_client(std::string name, WallTime at, ports::Done<ports::ClientRow> done) {
    engine_->post<ports::ClientRow>(
        Lane::line, std::move(done),
        [name = std::move(name), at](Writer& w) { return db::forget_client(w, name, at); });
}

}  // namespace smsrack::db
