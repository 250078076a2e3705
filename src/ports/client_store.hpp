/// The front ends by name, and how far each has taken its results, durably.
///
/// The results are the events of the messages that it brought; the event log holds them once, for
/// all. db/sqlite_store implements it, next to ports::Store.
/// Threads, Errors: as CommandPort.
/// Source:  [EBAS] register; docs/decisions/0019-front-ends.md.
#pragma once

#include "src/ports/client_states.hpp"
#include "src/ports/command.hpp"
#include "src/ports/refusals.hpp"
#include "src/ports/store_reader.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace smsrack::ports {

/// Most names: more than any box has programs; a name is a row.
inline constexpr std::size_t clients_max = 1'000;

/// A front end comes, for the first time or again. A new name gets what happens from now on. An id
/// that was never given acknowledges nothing.
/// Errors: queue_full: there are clients_max names.
struct RegisterClient {
    using Answer = ClientRow;
    std::string name = {};
    /// Its old sessions are void: it gets nothing more of what it brought before.
    bool clear = false;
    std::optional<EventSeq> taken = {};  ///< it has taken its events up to this one
    WallTime at;
};

/// The client has taken its events up to `taken`.
/// Errors: not_found; bad_request: no event has this id yet.
struct AcknowledgeEvents {
    using Answer = ClientRow;
    std::string name = {};
    EventSeq taken;
    WallTime at;
};

/// Blocks or unblocks a client. A name may be blocked before it comes.
/// Errors: conflict: it is so already.
struct GateClient {
    using Answer = ClientRow;
    std::string name = {};
    ClientGateOrder order = ClientGateOrder::block;
    WallTime at;
};

/// Gives up the results of a client; a name that comes again is a new one.
/// Errors: not_found.
struct ForgetClient {
    using Answer = ClientRow;
    std::string name = {};
    WallTime at;
};

class ClientStore : public CommandPort<RegisterClient, AcknowledgeEvents, GateClient, ForgetClient,
                                       NoteRefusals> {};

}  // namespace smsrack::ports
