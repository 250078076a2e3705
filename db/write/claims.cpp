#include "db/write/claims.hpp"

#include "db/read/pair_queries.hpp"
#include "db/write/accepting.hpp"
#include "db/write/batches.hpp"
#include "db/write/clock_walk.hpp"
#include "src/sms/address.hpp"

#include <algorithm>

namespace smsrack::db {
namespace {

using ports::PairState;

// As src/cluster/putter ends a message whose pair the engine knows.
constexpr std::string_view seen_by_fleet = "seen";

/// Of a batch, with what the walk of a correction of the clock has not moved yet.
constexpr Sql last_due_sql =
    "SELECT max(due_at + CASE WHEN created_at > w.after AND created_at <= w.until AND expires_at - "
    "created_at >= w.life_least AND (flags & ?2 = 0 OR flags & ?3 <> 0 OR topic <> 0) THEN w.shift "
    "ELSE 0 END) FROM messages INDEXED BY messages_batch LEFT JOIN clock_walk w ON id < w.next AND "
    "NOT EXISTS (SELECT 1 FROM clock_walk_ahead WHERE message = id) WHERE batch <> 0 AND batch = "
    "?1 AND state = 0";

WallTime start_of(std::int64_t minute) {
    return WallTime(std::chrono::minutes(minute));
}

/// Where a message goes in its trigger's minutes.
struct MinutePlace {
    std::int64_t minute = 0;
    std::uint32_t before_it = 0;  ///< messages
};

/// The first minute with room, from the message's own on. The last one given is kept, since the minutes before it are full.
MinutePlace place_in_minute(Connection& db, const ports::Claim& claim, WallTime wanted) {
    const std::int64_t own = minute_of(wanted);
    std::int64_t last = 0;
    std::uint32_t in_last = 0;
    (void)db.first(std::tie(last, in_last),
                   "SELECT minute, messages FROM trigger_minutes WHERE of = ?", claim.trigger);
    if (last < own) {
        return {.minute = own};
    }
    const bool full = in_last >= *claim.per_minute;
    return full ? MinutePlace{.minute = last + 1}
                : MinutePlace{.minute = last, .before_it = in_last};
}

void take_place(Connection& db, const std::string& trigger, const MinutePlace& place) {
    db.run(
        "INSERT INTO trigger_minutes (of, minute, messages) VALUES (?1, ?2, ?3) ON CONFLICT (of) "
        "DO UPDATE SET minute = ?2, messages = ?3",
        trigger, place.minute, place.before_it + 1);
}

/// Waits until `at`; what it may wait after that stays as it was.
void put_off(NewMessage& message, WallTime at) {
    const WallTime before = message.not_before.value_or(message.created_at);
    message.not_before = at;
    message.expires_at += at - before;
}

/// What was taken back gives its minutes back; the one that runs is not filled twice.
void give_back_minutes(Writer& writer, const ports::Claim& claim) {
    const WallTime now = claim.message.created_at;
    const WallTime last = std::max(now, last_due(writer, claim.trigger).value_or(now));
    writer.db.run("UPDATE trigger_minutes SET minute = min(minute, ?), messages = ? WHERE of = ?",
                  minute_of(last), *claim.per_minute, claim.trigger);
}

/// "welcome:2026-11-21" has been taken back: "welcome:2026-11-21.2".
void take_next_label(Writer& writer, ports::Claim& claim) {
    const std::string first = claim.message.batch;
    for (unsigned n = 2; is_cancelled_batch(writer.db, claim.message.batch); ++n) {
        claim.message.batch = first + "." + std::to_string(n);
    }
    if (claim.per_minute && !read_batch(writer.db, claim.message.batch)) {
        give_back_minutes(writer, claim);
    }
}

/// With the time that a correction of the clock gives it.
std::optional<ports::PairRow> dated_pair(Connection& db, const ports::Pair& pair) {
    auto row = find_pair(db, pair);
    if (row && is_walking(db)) {
        move_ahead(db, row->message);
        row = find_pair(db, pair);
    }
    return row;
}

Result<ports::Claimed> claim_pair(Writer& writer, ports::Claim& claim) {
    if (const auto row = dated_pair(writer.db, claim.pair); row && !claim.rules.is_free(*row)) {
        return ports::Claimed{.row = *row};
    }
    NewMessage& message = claim.message;
    auto refused = refusal_of(writer, message);
    if (refused && refused->code == Errc::conflict &&
        is_cancelled_batch(writer.db, message.batch)) {
        take_next_label(writer, claim);
        refused = refusal_of(writer, message);
    }
    if (refused) {
        return std::unexpected(*std::move(refused));
    }
    std::optional<MinutePlace> place;
    if (claim.per_minute) {
        const WallTime wanted = message.not_before.value_or(message.created_at);
        place = place_in_minute(writer.db, claim, wanted);
        if (place->minute != minute_of(wanted)) {
            put_off(message, start_of(place->minute));
        }
    }
    auto accepted = accept_message(writer, message, claim.pair.topic);
    if (!accepted) {
        return std::unexpected(std::move(accepted.error()));
    }
    if (place) {  // what was refused has taken none
        take_place(writer.db, claim.trigger, *place);
    }
    const ports::PairRow row{.pair = claim.pair,
                             .state = PairState::claimed,
                             .claimed_at = message.created_at,
                             .message = accepted->id};
    writer.db.run(
        "INSERT OR REPLACE INTO trigger_pairs (topic, number, claimed_at, state, message) VALUES "
        "(?, ?, ?, ?, ?)",
        row.pair.topic, row.pair.number, seconds_of(row.claimed_at), row.state, row.message);
    return ports::Claimed{.fresh = true,
                          .row = row,
                          .due_at = message.not_before,
                          .segments = accepted->segments,
                          .batch = message.batch};
}

/// An attempt whose outcome is unknown may have reached its recipient; one that the network took, and the message was begun again
/// after, has.
bool may_be_out(Connection& db, const MessageRecord& message) {
    for (AttemptId id = message.last_attempt; id != AttemptId{};) {
        OutcomeKind outcome{};
        if (!db.first(std::tie(outcome, id), "SELECT outcome, prev FROM attempts WHERE id = ?",
                      id)) {
            return false;
        }
        if (outcome == OutcomeKind::unknown || outcome == OutcomeKind::open ||
            outcome == OutcomeKind::accepted) {
            return true;
        }
    }
    return false;
}

PairState state_for(Connection& db, const MessageRecord& message, MessageState to) {
    if (to == MessageState::sent || to == MessageState::delivered ||
        to == MessageState::undelivered) {
        return PairState::sent;
    }
    if (!is_final(to)) {
        return PairState::claimed;
    }
    if (message.detail == seen_by_fleet) {
        return PairState::sent;  // the pair had its message by another box
    }
    return message.sim != SimId{} || may_be_out(db, message) ? PairState::doubtful
                                                             : PairState::failed;
}

}  // namespace

void date_anew(ports::ClaimPairs& command, std::span<const ClockMove> moves) {
    for (ports::Claim& claim : command.claims) {
        const WallTime before = claim.message.created_at;
        date_anew(claim.message, moves, true);
        const auto by = claim.message.created_at - before;
        claim.rules.forgotten_before += by;
        if (claim.rules.failed_before) {
            *claim.rules.failed_before += by;
        }
    }
}

std::optional<WallTime> last_due(Writer& writer, const std::string& trigger) {
    writer.ledger.write_batches();
    std::optional<WallTime> last;
    for (const BatchId batch :
         writer.db.column<BatchId>("SELECT id FROM batches WHERE name > ? || ':' AND name < ? || "
                                   "';' AND cancelled_at IS NULL AND scheduled > 0",
                                   trigger, trigger)) {
        last = std::max(
            last, writer.db.scalar<std::optional<WallTime>>(last_due_sql, std::nullopt, batch,
                                                            flag_scheduled, flag_waits_for_parts));
    }
    return last;
}

std::vector<ports::TopicId> apply(Writer& writer, const ports::NumberTopics& command) {
    const auto& [trigger, names] = command;
    std::vector<ports::TopicId> ids;
    for (const std::string& name : names) {
        constexpr Sql find = "SELECT id FROM trigger_topics WHERE of = ? AND name = ?";
        auto id = writer.db.scalar<ports::TopicId>(find, {}, trigger, name);
        if (id == ports::TopicId{}) {
            const auto last =
                writer.db.scalar<std::int32_t>("SELECT max(id) FROM trigger_topics", 0);
            if (last + 1 < ports::topic_ids_end) {
                id = ports::TopicId{last + 1};
                writer.db.run("INSERT INTO trigger_topics (id, of, name) VALUES (?, ?, ?)", id,
                              trigger, name);
            }
        }
        ids.push_back(id);
    }
    return ids;
}

std::vector<Result<ports::Claimed>> apply(Writer& writer, ports::ClaimPairs& command) {
    std::vector<Result<ports::Claimed>> answers;
    answers.reserve(command.claims.size());
    for (ports::Claim& claim : command.claims) {
        answers.push_back(claim_pair(writer, claim));
    }
    return answers;
}

void follow_message(Connection& db, const MessageRecord& message, MessageState to) {
    const PairState state = state_for(db, message, to);
    if (state == PairState::claimed) {  // as it was made
        return;
    }
    const auto number = number_of(
        db.scalar<std::string>("SELECT to_addr FROM messages WHERE id = ?", {}, message.id));
    db.run("UPDATE trigger_pairs SET state = ? WHERE topic = ? AND number = ? AND message = ?",
           state, message.topic, number, message.id);
}

/// Of those that say what they said before nothing is written.
void apply(Writer& writer, const ports::NoteDays& command) {
    for (const ports::TriggerDays& one : command.triggers) {
        writer.db.run(
            "INSERT INTO trigger_days (of, retain_s) VALUES (?1, ?2) ON CONFLICT (of) DO UPDATE "
            "SET retain_s = ?2 WHERE retain_s <> ?2",
            one.trigger, one.retain.count());
    }
}

std::size_t apply(Writer& writer, const ports::ForgetPairs& command) {
    std::size_t forgotten = 0;
    for (const ports::Pair& pair : command.pairs) {
        (void)dated_pair(writer.db, pair);
        writer.db.run(
            "DELETE FROM trigger_pairs WHERE topic = ? AND number = ? AND claimed_at < ? AND state "
            "<> ?",
            pair.topic, pair.number, seconds_of(command.before), PairState::claimed);
        forgotten += static_cast<std::size_t>(writer.db.changed_rows());
    }
    return forgotten;
}

}  // namespace smsrack::db
