/// Tracks the connections of front ends: which clients are connected, when each was last heard, and
/// which connection replaced which.
///
/// A client is known here by its row while it is connected, and until the disconnect timer has run;
/// one that is gone costs nothing. What it must still get is in the store, so a link that is lost
/// is one notice, however many messages the client has under way.
/// Bound:   clients_max entries of some hundred octets.
/// Time:    steady time of the injected Clock; one deadline for all, the earliest.
/// Threads: the loop thread.
/// Source:  [EBAS] register and listener; docs/decisions/0019-front-ends.md.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/interface.hpp"
#include "src/notify/front_end_carried.hpp"
#include "src/ports/client_states.hpp"
#include "src/ports/store.hpp"
#include "src/ports/store_reader.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::notify {

struct FrontEndSettings {
    std::chrono::seconds disconnect{30};  ///< pending for this long: stop
    /// A client that is silent for this long has lost its link; 0: never.
    std::chrono::seconds heartbeat{0};
};

/// A client's connection, that results go out by.
class FrontEndConnection : public Interface {
public:
    /// It is to say `word` and end: another one has its name now, or nothing was heard of it. It says nothing to the listener.
    virtual void end_with(std::string_view word) = 0;
};

class FrontEnds {
public:
    /// All outlive the object.
    FrontEnds(FrontEndSettings settings, ports::Store& store, const Clock& clock)
        : settings_(settings), store_(store), clock_(clock) {}

    /// Called when step() is wanted at another time than said before; never: not at all.
    void on_deadline(std::function<void(SteadyTime)> told) { told_ = std::move(told); }

    /// A connection gave the name of this row. An older connection is notified and ended. Until
    /// link_lost() the connection counts as open.
    void registered(const ports::ClientRow& row, FrontEndConnection& connection);
    /// The connection has ended. Nothing, where it is not the client's any more.
    void link_lost(ClientId client, const FrontEndConnection& connection);
    /// Something came from the client, by any connection.
    void heard(std::string_view name);
    /// The name has no owner any more: its connection is ended.
    void forgotten(const std::string& name);

    // -- from one run of the service to the next
    /// Those that are away; before close().
    [[nodiscard]] std::vector<FrontEndCarried> away() const;
    /// They are away still, and may come back for as long as they could. Before anybody registers.
    void adopt(const std::vector<FrontEndCarried>& away);

    /// The service ends: no more notifications.
    void close();

    /// Does what is due. Gives the next deadline.
    SteadyTime step(SteadyTime now);

    struct Seen {
        ports::ClientLink link = ports::ClientLink::stop;
        /// Of that state; nullopt if it was not connected since the start.
        std::optional<WallTime> since = {};
        std::optional<WallTime> heard_at = {};  ///< likewise
    };
    [[nodiscard]] Seen seen(const std::string& name) const;
    /// How many are in each state that is kept: active, pending.
    [[nodiscard]] std::array<std::size_t, 2> counts() const;
    /// Pairs of state and event that the table refused.
    [[nodiscard]] std::uint64_t refused() const { return refused_; }

private:
    struct Entry {
        ClientId id = {};
        ports::ClientLink link = ports::ClientLink::stop;
        FrontEndConnection* connection = nullptr;  // while active
        SteadyTime deadline = never;               // of its state
        SteadyTime heard = {};
        WallTime since = {};
        WallTime heard_at = {};
    };
    using Entries = std::map<std::string, Entry, std::less<>>;

    bool move(const std::string& name, Entry& entry, ports::ClientLinkEvent event);
    void lose(const std::string& name, Entry& entry);
    void tell_deadline();

    const FrontEndSettings settings_;
    ports::Store& store_;
    const Clock& clock_;
    Entries entries_;  // by name
    std::function<void(SteadyTime)> told_;
    SteadyTime said_ = never;
    std::uint64_t refused_ = 0;
};

}  // namespace smsrack::notify
