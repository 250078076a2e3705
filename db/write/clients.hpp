/// Front ends that have a name: how far each has taken the events of its messages, and what is open for it.
///
/// Threads: those of the connection; writes on the writing thread.
/// Errors:  as ports::ClientStore; StorageFailure (inside db).
#pragma once

#include "db/engine/writer.hpp"
#include "src/ports/client_store.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace smsrack::db {

/// In order of name, behind `after`; not those that are void.
[[nodiscard]] std::vector<ports::ClientRow> list_clients(Connection& db, const std::string& after,
                                                         std::size_t limit);
[[nodiscard]] std::optional<ports::ClientRow> read_client(Connection& db, const std::string& name);

/// The client of this name, made where it is new. After refused_client().
[[nodiscard]] ClientId client_of(Writer& writer, const std::string& name, WallTime at);
/// Why a message of its client is not taken now; nullopt if it is, or it has none.
[[nodiscard]] std::optional<Error> refused_client(Writer& writer, const NewMessage& message);

[[nodiscard]] Result<ports::ClientRow> apply(Writer& writer, const ports::RegisterClient& arrival);
[[nodiscard]] Result<ports::ClientRow> apply(Writer& writer,
                                             const ports::AcknowledgeEvents& command);
[[nodiscard]] Result<ports::ClientRow> apply(Writer& writer, const ports::GateClient& command);
[[nodiscard]] Result<ports::ClientRow> apply(Writer& writer, const ports::ForgetClient& command);

/// Before events of this client are removed for their age: those behind its cursor are lost to it.
void note_lost(Writer& writer, ClientId client, const std::vector<EventSeq>& events, WallTime at);

/// Of those that no request named since `before`, and of void ones, up to `limit` that no message names. One that has lost results
/// stays, and says so, until a person forgets it.
void remove_old_clients(Writer& writer, WallTime before, std::size_t limit);

}  // namespace smsrack::db
