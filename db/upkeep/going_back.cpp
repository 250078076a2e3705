#include "db/upkeep/going_back.hpp"

#include "db/engine/connection.hpp"
#include "src/sms/message_states.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <memory>
#include <string>

namespace smsrack::db {
namespace {

bool has_table(Connection& db, const std::string& name) {
    return db.scalar<std::int64_t>("SELECT count(*) FROM sqlite_schema WHERE name = ?", 0, name) >
           0;
}

/// The rack's own messages to its own SIMs are no loss: `client` -1.
void count_accepted(Connection& db, std::int64_t since, GoingBackLoss& loss) {
    Rows rows = db.query(
        "SELECT state, count(*) FROM messages WHERE id > ? AND client <> -1 GROUP BY state", since);
    while (rows.next()) {
        MessageState state{};
        std::int64_t count = 0;
        rows.read(state, count);
        if (state <= MessageState::uncertain || state == MessageState::elsewhere) {
            loss.waiting += count;
        } else if (state <= MessageState::undelivered) {
            loss.sent += count;
        } else {
            loss.ended += count;
        }
    }
}

/// Those that wait in the copy and were begun, sent, cancelled, or came to another end since; one that is removed had come to its end.
std::int64_t count_again(Connection& db, Connection& copy) {
    std::int64_t again = 0;
    Rows rows = copy.query("SELECT id FROM messages WHERE state <= 2");
    while (rows.next()) {
        const auto id = rows.value<std::int64_t>();
        const auto state = db.scalar<MessageState>("SELECT state FROM messages WHERE id = ?",
                                                   MessageState::cancelled, id);
        again += state > MessageState::queued ? 1 : 0;
    }
    return again;
}

/// Parts of messages whose other parts were still to come.
std::int64_t count_parts(Connection& db, std::int64_t since) {
    return db.scalar<std::int64_t>(
        "SELECT count(*) FROM inbound_segments WHERE inbox IS NULL AND id > ?", 0, since);
}

std::int64_t count_pauses(Connection& db, Connection& copy) {
    return std::ranges::count_if(
        db.tuples<std::int64_t, std::string>("SELECT scope, name FROM pauses"),
        [&](const auto& pause) {
            return copy.scalar<std::int64_t>(
                       "SELECT count(*) FROM pauses WHERE scope = ? AND name = ?", 0,
                       std::get<0>(pause), std::get<1>(pause)) == 0;
        });
}

/// Who said STOP since would get messages again.
std::int64_t count_opt_outs(Connection& db, Connection& copy) {
    return std::ranges::count_if(
        db.column<std::string>("SELECT number FROM opt_outs"), [&](const std::string& number) {
            return copy.scalar<std::int64_t>("SELECT count(*) FROM opt_outs WHERE number = ?", 0,
                                             number) == 0;
        });
}

/// Without a log next to it, it is read also where the index of a log fits nowhere: on a full disk, or one without inodes or that may not be written.
Result<std::unique_ptr<Connection>> open_to_read(const std::filesystem::path& database) {
    auto opened = Connection::open(database, {.read_only = true});
    const auto read = opened ? guarded([&]() -> Result<int> {
        return (*opened)->scalar<int>("PRAGMA user_version", 0);
    })
                             : std::unexpected(opened.error());
    const auto no_index = [](const Error& error) {
        return has_no_room(error) ||
               (error.code == Errc::storage && (error.detail & 0xFF) == SQLITE_CANTOPEN);
    };
    if (!read && no_index(read.error()) && !has_log(database)) {
        return Connection::open(database, {.read_only = true, .immutable = true});
    }
    return opened;
}

}  // namespace

Result<SchemaOf> schema_of(const std::filesystem::path& database) {
    auto opened = open_to_read(database);
    if (!opened) {
        return std::unexpected(std::move(opened.error()));
    }
    Connection& db = **opened;
    return guarded([&]() -> Result<SchemaOf> {
        SchemaOf schema{.version = db.scalar<int>("PRAGMA user_version", 0)};
        if (has_table(db, "schema_reader")) {
            schema.oldest_reader =
                db.scalar<int>("SELECT oldest FROM schema_reader", schema.version);
        }
        return schema;
    });
}

Result<GoingBackLoss> loss_of_going_back(const std::filesystem::path& database,
                                         const std::filesystem::path& copy) {
    auto opened = open_to_read(database);
    auto earlier = open_to_read(copy);
    if (!opened || !earlier) {
        return std::unexpected(std::move(opened ? earlier.error() : opened.error()));
    }
    Connection& db = **opened;
    Connection& before = **earlier;
    return guarded([&]() -> Result<GoingBackLoss> {
        db.script("BEGIN");
        // One sequence numbers messages and what was received (db/schema/0001): newer ones have higher numbers.
        const auto last = before.scalar<std::int64_t>("SELECT sequence FROM head", 0);
        GoingBackLoss loss;
        count_accepted(db, last, loss);
        loss.received = db.scalar<std::int64_t>("SELECT count(*) FROM inbox WHERE id > ?", 0, last);
        loss.received += count_parts(db, last);
        loss.again = count_again(db, before);
        if (has_table(db, "pauses") && has_table(before, "pauses")) {
            loss.pauses = count_pauses(db, before);
        }
        if (has_table(db, "opt_outs") && has_table(before, "opt_outs")) {
            loss.opt_outs = count_opt_outs(db, before);
        }
        return loss;
    });
}

}  // namespace smsrack::db
