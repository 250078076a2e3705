/// The two state tables of a front end: whether it is connected, and whether an operator admits its
/// messages.
///
/// Source:  [EBAS] listener, docs/papers.md 2; docs/decisions/0019-front-ends.md.
#pragma once

#include "src/base/state_table.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace smsrack::ports {

/// Seen from here: a client that is not connected is not known to be dead.
enum class ClientLink : std::uint8_t {
    active,   ///< it listens
    pending,  ///< the connection is lost; the disconnect timer runs
    stop,     ///< gone: nothing in memory is kept for it, its results wait in the store
};

enum class ClientLinkEvent : std::uint8_t {
    registered,  ///< a connection gave the name; while active: the newer one replaces the older
    link_lost,
    disconnect_timer,
};

/// A pair that is not here is refused: for example the end of a connection that a newer one has
/// replaced.
inline constexpr std::array client_link_rules{
    Rule<ClientLink, ClientLinkEvent>{ClientLink::stop, ClientLinkEvent::registered,
                                      ClientLink::active},
    Rule<ClientLink, ClientLinkEvent>{ClientLink::pending, ClientLinkEvent::registered,
                                      ClientLink::active},
    Rule<ClientLink, ClientLinkEvent>{ClientLink::active, ClientLinkEvent::registered,
                                      ClientLink::active},
    Rule<ClientLink, ClientLinkEvent>{ClientLink::active, ClientLinkEvent::link_lost,
                                      ClientLink::pending},
    Rule<ClientLink, ClientLinkEvent>{ClientLink::pending, ClientLinkEvent::disconnect_timer,
                                      ClientLink::stop},
};
static_assert(!next(client_link_rules, ClientLink::stop, ClientLinkEvent::link_lost));

inline constexpr std::array<std::string_view, 3> client_link_names{"active", "pending", "stop"};

[[nodiscard]] constexpr std::string_view client_link_name(ClientLink link) {
    return client_link_names.at(static_cast<std::size_t>(link));
}

/// A blocked one still gets its results, and brings nothing new.
enum class ClientGate : std::uint8_t { open, blocked };
enum class ClientGateOrder : std::uint8_t { block, open };

inline constexpr std::array client_gate_rules{
    Rule<ClientGate, ClientGateOrder>{ClientGate::open, ClientGateOrder::block,
                                      ClientGate::blocked},
    Rule<ClientGate, ClientGateOrder>{ClientGate::blocked, ClientGateOrder::open, ClientGate::open},
};

inline constexpr std::array<std::string_view, 2> client_gate_names{"open", "blocked"};

[[nodiscard]] constexpr std::string_view client_gate_name(ClientGate gate) {
    return client_gate_names.at(static_cast<std::size_t>(gate));
}

/// Names are used in paths, on command lines and in events. Those that begin with "webhook." belong
/// to webhooks.
inline constexpr std::size_t client_name_max = 32;
[[nodiscard]] constexpr bool is_client_name(std::string_view text) {
    constexpr std::string_view allowed =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.";
    return !text.empty() && text.size() <= client_name_max && !text.starts_with("webhook.") &&
           text.find_first_not_of(allowed) == std::string_view::npos;
}

}  // namespace smsrack::ports
