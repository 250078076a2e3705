#include "db/sqlite_store.hpp"

#include "db/read/fleet_queries.hpp"
#include "db/read/pair_queries.hpp"
#include "db/read/queries.hpp"
#include "db/read/webhook_queries.hpp"
#include "db/store_parts.hpp"
#include "db/upkeep/lifecycle.hpp"
#include "db/write/accepting.hpp"
#include "db/write/attempt_notes.hpp"
#include "db/write/attempts.hpp"
#include "db/write/audit.hpp"
#include "db/write/batches.hpp"
#include "db/write/claims.hpp"
#include "db/write/clients.hpp"
#include "db/write/clock_walk.hpp"
#include "db/write/fleet.hpp"
#include "db/write/fleet_rebuild.hpp"
#include "db/write/fleet_reports.hpp"
#include "db/write/fleet_rules.hpp"
#include "db/write/fleet_sims.hpp"
#include "db/write/held_places.hpp"
#include "db/write/inbound.hpp"
#include "db/write/opt_outs.hpp"
#include "db/write/pauses.hpp"
#include "db/write/pin_tries.hpp"
#include "db/write/rack_history.hpp"
#include "db/write/rack_rows.hpp"
#include "db/write/refusals.hpp"
#include "db/write/replacing.hpp"
#include "db/write/reports.hpp"
#include "db/write/self_sms.hpp"
#include "db/write/sim_quota.hpp"
#include "db/write/slots.hpp"
#include "db/write/webhooks.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <variant>

namespace smsrack::db {
namespace {

// A full intake queue is through in less.
constexpr std::chrono::milliseconds backlog_retry_after{1'000};

/// Writes something small. A number of the sequence is spent, so that the commit has something to
/// write.
struct LookAfter {
    static constexpr Lane lane = Lane::upkeep;
    using Answer = void;
};

void apply(Writer& writer, const LookAfter& /*command*/) {
    (void)writer.ledger.next_number();
}

/// Writes what was counted of a minute that is not over: the store ends.
struct WriteHistory {
    static constexpr Lane lane = Lane::upkeep;
    using Answer = void;
};

void apply(Writer& writer, const WriteHistory& /*command*/) {
    writer.history.write(writer.db, writer.ledger.queued_messages());
}

/// Intake has a lane of its own: a move of the clock that was asked for after this command may be
/// on disk before it. Then the command is dated by the old clock.
template <typename Command>
class IntakeCall final : public WriteCall<Command> {
public:
    /// `moves_asked`: number of moves that were asked for before the command was posted.
    IntakeCall(Writer& writer, ports::Posted<Command>&& posted, std::size_t moves_asked)
        : WriteCall<Command>(writer, std::move(posted)), moves_asked_(moves_asked) {}

    void run() override {
        const std::span<const ClockMove> moves = this->writer().moves;
        date_anew(this->command(), moves.subspan(std::min(moves_asked_, moves.size())));
        if constexpr (std::is_same_v<Command, ports::Accept>) {
            this->answer_with(accept_message(this->writer(), this->command().message, {}, number_));
        } else {
            WriteCall<Command>::run();
        }
    }

    [[nodiscard]] bool announce(ports::StoreListener& listener) override {
        if constexpr (std::is_same_v<Command, ports::Accept>) {
            const bool is_dated = moves_asked_ >= this->writer().moves.size();
            number_ = is_dated ? announce_message(this->writer(), this->command().message, listener)
                               : std::nullopt;
        }
        return number_.has_value();
    }

private:
    const std::size_t moves_asked_;
    std::optional<MessageId> number_ = {};  // that it was announced with
};

template <typename Command>
void post_to(StoreParts& parts, ports::Posted<Command>&& posted) {
    if constexpr (ports::lane_of<Command> == Lane::intake) {
        // Before the job is made: a refusal keeps `done`.
        if (!parts.batcher.reserve_intake()) {
            return posted.answer(std::unexpected(Error{.code = Errc::queue_full,
                                                       .context = "the disk is behind",
                                                       .retry_after = backlog_retry_after}));
        }
        parts.batcher.post(Lane::intake,
                           std::make_unique<IntakeCall<Command>>(
                               parts.write.writer(), std::move(posted), parts.moves_asked));
    } else {
        parts.batcher.post(ports::lane_of<Command>, std::make_unique<WriteCall<Command>>(
                                                        parts.write.writer(), std::move(posted)));
    }
}

/// One step after the other, each in a transaction of its own. What a stop leaves is the next
/// process's; after an error that is not the disk's, look_after() tries again.
void walk_on(StoreParts& parts) {
    if (!parts.walk_is_open || parts.walks.exchange(true)) {
        return;
    }
    post_to(parts, ports::Posted<WalkOn>{.command = {}, .done = [&parts](const Result<bool>& more) {
                                             parts.walks = false;
                                             if (more) {
                                                 parts.walk_is_open = *more;
                                             }
                                             if (more && !parts.batcher.is_ending()) {
                                                 walk_on(parts);
                                             }
                                         }});
}

/// A move that fails leaves an empty one in its place, so that the count stays right.
void post_to(StoreParts& parts, ports::Posted<ports::MoveTimes>&& posted) {
    ++parts.moves_asked;
    ports::Posted<ports::MoveTimes> counted{.command = posted.command};
    counted.done = [&parts, posted = std::move(posted)](Result<std::size_t> moved) mutable {
        if (!moved) {
            parts.write.no_move();
        } else if (!parts.batcher.is_ending()) {
            parts.walk_is_open = true;
            walk_on(parts);
        }
        posted.answer(std::move(moved));
    };
    post_to<ports::MoveTimes>(parts, std::move(counted));
}

template <typename Call>
void take_call(StoreParts& parts, Call& call) {
    std::visit([&parts](auto& posted) { post_to(parts, std::move(posted)); }, call);
}

template <typename Queries, typename Job>
void read_with(StoreParts& parts, Job job) {
    parts.readers.post([&parts, job = std::move(job)]() mutable {
        if (const auto lease = parts.pool.take()) {
            Queries queries(**lease);
            job(&queries);
        } else {
            job(std::unexpected(lease.error()));
        }
    });
}

}  // namespace

Result<std::unique_ptr<SqliteStore>> SqliteStore::open(const SqliteStoreSettings& settings,
                                                       const StoreSurroundings& surroundings) {
    auto parts = open_parts(settings, surroundings);
    if (!parts) {
        return std::unexpected(std::move(parts.error()));
    }
    std::unique_ptr<SqliteStore> store(new SqliteStore(*std::move(parts)));
    if (!store->damaged().empty()) {
        store->begin_anew();
    }
    const auto walks =
        guarded([&]() -> Result<bool> { return is_walking(store->parts_->write.writer().db); });
    if (!walks) {
        return std::unexpected(walks.error());
    }
    store->parts_->walk_is_open = *walks && !store->reads_only();
    walk_on(*store->parts_);
    return store;
}

/// Numbers that clients know from before are not given again: these continue from the time.
void SqliteStore::begin_anew() {
    const WallTime now = parts_->clock.wall();
    parts_->write.skip_to(before_ids_of(parts_->settings.box) + now.time_since_epoch().count());
    post(ports::KeepEvent{
        {.at = now, .type = EventType::service_notice, .detail = "database_set_aside"}});
}

const std::filesystem::path& SqliteStore::damaged() const {
    return parts_->damaged;
}

SqliteStore::SqliteStore(std::unique_ptr<StoreParts> parts) : parts_(std::move(parts)) {}

SqliteStore::~SqliteStore() {
    write_all();
}

/// What waits may be counted too, so the history comes behind it.
void SqliteStore::write_all() {
    parts_->batcher.drain();
    if (parts_->write.writer().history.has_counts()) {
        post_to(*parts_, ports::Posted<WriteHistory>{});
        parts_->batcher.drain();
    }
}

void SqliteStore::leave_to_next() {
    write_all();
    parts_->write.writer().db.keep_log();
}

int SqliteStore::duplicate_lock() const {
    return parts_->lock->duplicate();
}

bool SqliteStore::reads_only() const {
    return parts_->reads_only;
}

std::optional<ports::StoreTrouble> SqliteStore::trouble() const {
    return parts_->write.faults().trouble();
}

void SqliteStore::look_after() {
    walk_on(*parts_);
    if (parts_->looked_after.exchange(true)) {
        return;
    }
    const auto done = [parts = parts_.get()](const Result<>& /*kept*/) {
        parts->pool.close_idle();
        parts->looked_after = false;
    };
    post_to(*parts_, ports::Posted<LookAfter>{.command = {}, .done = done});
}

EventSeq SqliteStore::opened_at() const {
    return EventSeq{parts_->write.ledger().last_number()};
}

Stepper& SqliteStore::writer() {
    return parts_->batcher;
}

Result<GroupId> SqliteStore::group_id(const std::string& name) {
    return guarded([&]() -> Result<GroupId> { return parts_->write.group_now(name); });
}

void SqliteStore::note_answer(AttemptId attempt, const SubmitOutcome& outcome) {
    parts_->answers.note(attempt, outcome);
}

ports::StateCounts SqliteStore::counts() const {
    return parts_->write.ledger().counts();
}

ports::LevelCounts SqliteStore::waiting() const {
    return parts_->write.ledger().queued();
}

ports::LevelCounts SqliteStore::work(GroupId group) const {
    return parts_->write.ledger().work(group);
}

void SqliteStore::take(ports::Store::Call&& call) {
    take_call(*parts_, call);
}

void SqliteStore::take(ports::RackStore::Call&& call) {
    take_call(*parts_, call);
}

void SqliteStore::take(ports::ControlStore::Call&& call) {
    take_call(*parts_, call);
}

void SqliteStore::take(ports::TriggerStore::Call&& call) {
    take_call(*parts_, call);
}

void SqliteStore::take(ports::ClientStore::Call&& call) {
    take_call(*parts_, call);
}

void SqliteStore::take(ports::AuditStore::Call&& call) {
    take_call(*parts_, call);
}

void SqliteStore::take(ports::WebhookStore::Call&& call) {
    take_call(*parts_, call);
}

void SqliteStore::take(ports::FleetStore::Call&& call) {
    take_call(*parts_, call);
}

void SqliteStore::read(ports::Store::Job job) {
    read_with<Queries>(*parts_, std::move(job));
}

void SqliteStore::read(ports::RackStore::Job job) {
    read_with<RackQueries>(*parts_, std::move(job));
}

void SqliteStore::read(ports::TriggerStore::Job job) {
    read_with<PairQueries>(*parts_, std::move(job));
}

void SqliteStore::read(ports::AuditStore::Job job) {
    read_with<AuditQueries>(*parts_, std::move(job));
}

void SqliteStore::read(ports::WebhookStore::Job job) {
    read_with<WebhookQueries>(*parts_, std::move(job));
}

void SqliteStore::read(ports::FleetStore::Job job) {
    read_with<FleetQueries>(*parts_, std::move(job));
}

}  // namespace smsrack::db
