/// Who front ends are, and how far each has taken its results, durably.
///
/// The results are the events of the messages that it brought: they stand in the event log once, for all. db/sqlite_store
/// implements it beside ports::Store.
/// Threads, Errors: as ports::Store.
/// Source:  [EBAS] register; docs/decisions/0019-front-ends.md.
#pragma once

#include "src/ports/client_states.hpp"
#include "src/ports/store.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace smsrack::ports {

/// A front end comes: for the first time, or again.
struct ClientArrival {
    std::string name = {};
    bool clear =
        false;  ///< its old sessions are void: it gets nothing more of what it brought before
    std::optional<EventSeq> taken = {};  ///< it has taken its events up to this one
    WallTime at = {};
};

class ClientStore {
public:
    /// More names than any box has programs: a name is a row.
    static constexpr std::size_t clients_max = 1'000;

    ClientStore() = default;
    ClientStore(const ClientStore&) = delete;
    ClientStore& operator=(const ClientStore&) = delete;
    virtual ~ClientStore() = default;

    /// A name that is new gets what happens from now on. An id that was never given acknowledges nothing. queue_full: there
    /// are clients_max names.
    virtual void register_client(ClientArrival arrival, Done<ClientRow> done) = 0;

    /// It has taken its events up to `taken`. not_found; bad_request: no event has this id yet.
    virtual void acknowledge(std::string name, EventSeq taken, WallTime at,
                             Done<ClientRow> done) = 0;

    /// conflict: it is so already. A name may be blocked before it comes.
    virtual void gate_client(std::string name, ClientGateOrder order, WallTime at,
                             Done<ClientRow> done) = 0;

    /// Its results are given up; a name that comes again is a new one. not_found.
    virtual void forget_client(std::string name, WallTime at, Done<ClientRow> done) = 0;
};

}  // namespace smsrack::ports
