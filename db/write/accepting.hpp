/// Accepting a message: one row, which is its `queued` event too.
///
/// Threads: the writing thread.
/// Errors:  ref_conflict, forbidden (a rule, named in `context`), conflict (its batch was cancelled),
/// duplicate, queue_full (capacity); StorageFailure (inside db).
#pragma once

#include "db/engine/writer.hpp"
#include "src/ports/send_commands.hpp"
#include "src/ports/store.hpp"
#include "src/ports/trigger_store.hpp"

#include <optional>
#include <span>

namespace smsrack::db {

struct FleetPlace;

[[nodiscard]] Result<ports::Accepted> apply(Writer& writer, const ports::Accept& command);
/// In this order: a ref known already, a rule that refuses it, the duplicate window, the capacity. `topic`: of the pair that it
/// is made for. `number`: announced before; none: the next one.
[[nodiscard]] Result<ports::Accepted> accept_message(Writer& writer, const NewMessage& message,
                                                     ports::TopicId topic = {},
                                                     std::optional<MessageId> number = {});
/// Keeps a message that another box has accepted, and that was checked there; `where` says where it is.
void insert_guest(Writer& writer, const NewMessage& message, const FleetPlace& where);
/// Where the message would be begun at once, and accept_message() would keep it: tells the listener, and gives its
/// number.
[[nodiscard]] std::optional<MessageId> announce_message(Writer& writer, const NewMessage& message,
                                                        ports::StoreListener& listener);

/// For a message that was dated before these moves of the clock and comes to the disk behind them. What a client scheduled keeps the
/// client's times; `ours`: all times are ours.
void date_anew(NewMessage& message, std::span<const ClockMove> moves, bool ours = false);

void date_anew(ports::Accept& command, std::span<const ClockMove> moves);
/// The rules that ask for rows, after those that asked for none.
[[nodiscard]] std::optional<Error> refusal_of(Writer& writer, const NewMessage& message);

}  // namespace smsrack::db
