#include "db/write/clients.hpp"

#include "src/base/time_text.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace smsrack::db {
namespace {

using ports::ClientGate;
using ports::ClientRow;

// A front end that is back takes some thousand results a second.
constexpr std::chrono::milliseconds limit_retry_after{10'000};

ClientRow read_row(const Rows& rows) {
    ClientRow c;
    rows.read(c.id, c.name, c.created_at, c.seen_at, c.cursor, c.buffered, c.waiting, c.lost,
              c.blocked_at);
    return c;
}

void tell(Writer& writer, std::string_view word, const std::string& name, WallTime at) {
    (void)writer.ledger.append(
        {.at = at, .type = EventType::client_state, .detail = std::string(word) + " " + name}, {});
}

Error too_many() {
    return {.code = Errc::queue_full,
            .context = "rule clients_max: there are " + std::to_string(ports::clients_max) +
                       " clients; `smsrack client forget` one that comes no more",
            .retry_after = limit_retry_after};
}

bool is_full(Connection& db) {
    return db.scalar<std::size_t>("SELECT count(*) FROM clients WHERE void_at IS NULL", 0) >=
           ports::clients_max;
}

ClientId insert(Writer& writer, const std::string& name, WallTime at) {
    const ClientId id{writer.ledger.next_number()};
    writer.db.run(
        "INSERT INTO clients (id, name, created_at, seen_at, cursor, buffered, waiting, lost) "
        "VALUES (?1, ?2, ?3, ?3, ?1, 0, 0, 0)",
        id, name, at);
    return id;
}

std::int64_t events_within(Connection& db, ClientId client, EventSeq after, EventSeq last) {
    return db.scalar<std::int64_t>(
               "SELECT count(*) FROM events INDEXED BY events_client WHERE client <> 0 AND client "
               "= ? AND seq > ? AND seq <= ?",
               0, client, after, last) +
           db.scalar<std::int64_t>(
               "SELECT count(*) FROM messages INDEXED BY messages_client WHERE client <> 0 AND "
               "client = ? AND id > ? AND id <= ?",
               0, client, after, last);
}

/// Each event is counted once over all acknowledgements.
void advance(Writer& writer, const ClientRow& row, EventSeq taken) {
    if (taken <= row.cursor || taken.value > writer.ledger.last_number()) {
        return;
    }
    writer.db.run("UPDATE clients SET cursor = ?, buffered = buffered - ? WHERE id = ?", taken,
                  events_within(writer.db, row.id, row.cursor, taken), row.id);
}

/// With what this batch has counted.
std::optional<ClientRow> row_now(Writer& writer, const std::string& name) {
    writer.ledger.write_clients();
    return read_client(writer.db, name);
}

std::unexpected<Error> no_such(const std::string& name) {
    return fail(Errc::not_found, "no client has the name " + name);
}

}  // namespace

std::vector<ClientRow> list_clients(Connection& db, const std::string& after, std::size_t limit) {
    return db.all(
        read_row,
        "SELECT id, name, created_at, seen_at, cursor, buffered, waiting, lost, blocked_at FROM "
        "clients WHERE void_at IS NULL AND name > ? ORDER BY name LIMIT ?",
        after, limit);
}

std::optional<ClientRow> read_client(Connection& db, const std::string& name) {
    Rows row = db.query(
        "SELECT id, name, created_at, seen_at, cursor, buffered, waiting, lost, blocked_at FROM "
        "clients WHERE void_at IS NULL AND name = ?",
        name);
    return row.next() ? std::optional(read_row(row)) : std::nullopt;
}

ClientId client_of(Writer& writer, const std::string& name, WallTime at) {
    const auto known = writer.db.scalar<ClientId>(
        "SELECT id FROM clients WHERE void_at IS NULL AND name = ?", {}, name);
    return known != ClientId{} ? known : insert(writer, name, at);
}

std::optional<Error> refused_client(Writer& writer, const NewMessage& message) {
    if (message.client.empty()) {
        return std::nullopt;
    }
    const auto row = read_client(writer.db, message.client);
    if (!row) {
        return is_full(writer.db) ? std::optional(too_many()) : std::nullopt;
    }
    if (row->blocked_at) {
        return Error{.code = Errc::forbidden,
                     .context = "rule client_blocked: client " + row->name + " is blocked since " +
                                time_text(*row->blocked_at)};
    }
    const Ledger::ClientMove moved = writer.ledger.moved(row->id);
    const auto full = [&](const char* rule, std::int64_t most, const char* what) {
        return Error{.code = Errc::queue_full,
                     .context = std::string("rule ") + rule + ": client " + row->name + " has " +
                                std::to_string(most) + " " + what,
                     .retry_after = limit_retry_after};
    };
    const ClientLimits& limits = message.client_limits;
    if (limits.buffered_max && row->buffered + moved.buffered >= *limits.buffered_max) {
        return full("client_buffered_max", *limits.buffered_max,
                    "results that it has not acknowledged");
    }
    if (limits.waiting_max && row->waiting + moved.waiting >= *limits.waiting_max) {
        return full("client_waiting_max", *limits.waiting_max, "messages that wait");
    }
    return std::nullopt;
}

Result<ClientRow> apply(Writer& writer, const ports::RegisterClient& arrival) {
    auto row = row_now(writer, arrival.name);
    if (!row && is_full(writer.db)) {
        return std::unexpected(too_many());
    }
    const bool anew = row && arrival.clear;
    if (anew) {
        writer.db.run("UPDATE clients SET void_at = ? WHERE id = ?", arrival.at, row->id);
    }
    if (!row || anew) {
        const ClientId id = insert(writer, arrival.name, arrival.at);
        if (anew) {  // what a person decided is of the name
            writer.db.run("UPDATE clients SET blocked_at = ? WHERE id = ?", row->blocked_at, id);
        }
    } else {
        if (arrival.taken) {
            advance(writer, *row, *arrival.taken);
        }
        writer.db.run("UPDATE clients SET seen_at = ? WHERE id = ?", arrival.at, row->id);
    }
    return *read_client(writer.db, arrival.name);
}

Result<ClientRow> apply(Writer& writer, const ports::AcknowledgeEvents& command) {
    const auto& [name, taken, at] = command;
    const auto row = row_now(writer, name);
    if (!row) {
        return no_such(name);
    }
    if (taken.value > writer.ledger.last_number()) {
        return fail(Errc::bad_request, "id: no event has it yet");
    }
    advance(writer, *row, taken);
    writer.db.run("UPDATE clients SET seen_at = ? WHERE id = ?", at, row->id);
    return *read_client(writer.db, name);
}

Result<ClientRow> apply(Writer& writer, const ports::GateClient& command) {
    const auto& [name, order, at] = command;
    auto row = row_now(writer, name);
    if (!row && order == ports::ClientGateOrder::open) {
        return no_such(name);
    }
    if (!row && is_full(writer.db)) {
        return std::unexpected(too_many());
    }
    const ClientGate gate = row && row->blocked_at ? ClientGate::blocked : ClientGate::open;
    const auto to = next(ports::client_gate_rules, gate, order);
    if (!to) {
        return fail(Errc::conflict, "client " + name + " is " +
                                        std::string(ports::client_gate_name(gate)) + " already");
    }
    const ClientId id = row ? row->id : insert(writer, name, at);
    writer.db.run("UPDATE clients SET blocked_at = ? WHERE id = ?",
                  *to == ClientGate::blocked ? std::optional(at) : std::nullopt, id);
    tell(writer, ports::client_gate_name(*to), name, at);
    return *read_client(writer.db, name);
}

Result<ClientRow> apply(Writer& writer, const ports::ForgetClient& command) {
    const auto& [name, at] = command;
    auto row = row_now(writer, name);
    if (!row) {
        return no_such(name);
    }
    writer.db.run("UPDATE clients SET void_at = ? WHERE id = ?", at, row->id);
    tell(writer, "forgotten", name, at);
    return *std::move(row);
}

void note_lost(Writer& writer, ClientId client, const std::vector<EventSeq>& events, WallTime at) {
    if (client == ClientId{}) {
        return;
    }
    EventSeq cursor;
    std::int64_t before = 0;
    std::string name;
    if (!writer.db.first(std::tie(cursor, before, name),
                         "SELECT cursor, lost, name FROM clients WHERE id = ? AND void_at IS NULL",
                         client)) {
        return;
    }
    const auto lost = std::ranges::count_if(events, [&](EventSeq seq) { return seq > cursor; });
    if (lost == 0) {
        return;
    }
    if (before == 0 && writer.ledger.moved(client).lost == 0) {  // once: then it is a counter
        tell(writer, "losing_results", name, at);
    }
    writer.ledger.count(client, {.buffered = -lost, .lost = lost});
}

void remove_old_clients(Writer& writer, WallTime before, std::size_t limit) {
    writer.ledger.write_clients();  // what was lost in this very step
    writer.db.run(
        "DELETE FROM clients WHERE id IN (SELECT id FROM clients c WHERE (void_at IS NOT NULL OR "
        "(seen_at < ? AND blocked_at IS NULL AND lost = 0)) AND NOT EXISTS (SELECT 1 FROM messages "
        "m WHERE m.client <> 0 AND m.client = c.id) LIMIT ?)",
        before, limit);
}

}  // namespace smsrack::db
