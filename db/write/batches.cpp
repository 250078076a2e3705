#include "db/write/batches.hpp"

#include "db/upkeep/lifecycle.hpp"
#include "db/write/fleet_rules.hpp"
#include "src/sms/self_sms.hpp"

#include <limits>
#include <utility>

namespace smsrack::db {
namespace {

ports::BatchRow read_row(const Rows& rows) {
    ports::BatchRow b;
    auto& c = b.counts;
    rows.read(b.id, b.name, b.created_at, b.paused_at, b.cancelled_at, b.cancelling, c[0], c[1],
              c[2], c[3], c[4], c[5], c[6], c[7], c[8], c[9], c[10]);
    return b;
}

}  // namespace

std::vector<ports::BatchRow> list_batches(Connection& db, BatchId before, std::size_t limit) {
    const BatchId below =
        before == BatchId{} ? BatchId{std::numeric_limits<std::int64_t>::max()} : before;
    return db.all(
        read_row,
        "SELECT id, name, created_at, paused_at, cancelled_at, cancel_after IS NOT NULL, "
        "scheduled, queued, sending, uncertain, sent, delivered, undelivered, failed, "
        "expired, cancelled, elsewhere FROM batches WHERE id < ? ORDER BY id DESC LIMIT ?",
        below, limit);
}

std::optional<ports::BatchRow> read_batch(Connection& db, const std::string& name) {
    Rows row = db.query(
        "SELECT id, name, created_at, paused_at, cancelled_at, cancel_after IS NOT NULL, "
        "scheduled, queued, sending, uncertain, sent, delivered, undelivered, failed, expired, "
        "cancelled, elsewhere FROM batches WHERE name = ?",
        name);
    return row.next() ? std::optional(read_row(row)) : std::nullopt;
}

bool is_cancelled_batch(Connection& db, const std::string& name) {
    return db.scalar<bool>("SELECT cancelled_at IS NOT NULL FROM batches WHERE name = ?", false,
                           name);
}

bool is_cancelled_batch(Connection& db, BatchId id) {
    return db.scalar<bool>("SELECT cancelled_at IS NOT NULL FROM batches WHERE id = ?", false, id);
}

Result<ports::BatchRow> cancel_batch(Writer& writer, const ports::CancelBatch& command) {
    const auto& [name, at, create] = command;
    if (name == self_sms_batch) {  // what is cancelled takes nothing more, for ever
        return fail(Errc::conflict,
                    "batch self-sms has the rack's own messages: pause it, or set [priority] "
                    "self_sms_s = 0");
    }
    if (create) {
        (void)writer.names.batch(name, at);
    }
    writer.ledger.write_batches();  // so that the answer has the counts of now
    auto batch = read_batch(writer.db, name);
    if (!batch) {
        return fail(Errc::not_found, "no message has the batch " + name);
    }
    if (batch->cancelled_at) {
        return *std::move(batch);
    }
    writer.db.run("UPDATE batches SET cancelled_at = ?, cancel_after = 0 WHERE id = ?", at,
                  batch->id);
    writer.ledger.notice(at, "cancelled batch " + name);
    writer.ledger.pauses_changed();
    batch->cancelled_at = at;
    batch->cancelling = true;
    return *std::move(batch);
}

Result<ports::BatchRow> apply(Writer& writer, const ports::CancelBatch& command) {
    auto batch = cancel_batch(writer, command);
    if (batch) {
        tell_fleet(writer,
                   {.kind = ports::RuleKind::batch, .name = command.name, .at = command.at});
    }
    return batch;
}

/// What is in flight on a line ends; if it comes back unsent, PutOff cancels it.
bool apply(Writer& writer, const ports::CancelSome& command) {
    BatchId batch{};
    MessageId last{};
    if (!writer.db.first(std::tie(batch, last),
                         "SELECT id, cancel_after FROM batches INDEXED BY batches_cancelling WHERE "
                         "cancel_after IS NOT NULL ORDER BY id LIMIT 1")) {
        return false;
    }
    const auto messages = writer.db.tuples<MessageId, MessageState>(
        "SELECT id, state FROM messages INDEXED BY messages_batch WHERE batch <> 0 AND batch = ? "
        "AND id > ? ORDER BY id LIMIT ?",
        batch, last, command.limit);
    for (const auto& [id, state] : messages) {
        last = id;
        if (state != MessageState::scheduled && state != MessageState::queued &&
            state != MessageState::sending) {
            continue;
        }
        (void)finish_message(writer, {.message = id,
                                      .event = MessageEvent::cancel,
                                      .detail = "batch_cancelled",
                                      .at = command.at});
    }
    const bool done = messages.size() < command.limit;
    writer.db.run("UPDATE batches SET cancel_after = ? WHERE id = ?",
                  done ? std::nullopt : std::optional(last), batch);
    if (done) {
        // unless a line still has one in flight, it is none any more
        writer.ledger.pauses_changed();
    }
    return !done || writer.db.scalar<bool>(
                        "SELECT EXISTS (SELECT 1 FROM batches INDEXED BY batches_cancelling WHERE "
                        "cancel_after IS NOT NULL)",
                        false);
}

void remove_empty_batches(Writer& writer, WallTime before, std::size_t limit) {
    writer.ledger.write_batches();
    writer.db.run(
        "DELETE FROM batches WHERE id IN (SELECT id FROM batches WHERE created_at < ? AND "
        "paused_at IS NULL AND cancel_after IS NULL AND scheduled + queued + sending + uncertain + "
        "sent + delivered + undelivered + failed + expired + cancelled + elsewhere = 0 LIMIT "
        "?)",
        before, limit);
    if (writer.db.changed_rows() > 0) {
        writer.names.forget_batch();
        writer.ledger.pauses_changed();
    }
}

}  // namespace smsrack::db
