/// The server, as its connections see it.
///
/// Threads: loop thread.
#pragma once

#include "firmware-host/net/octet_filter.hpp"
#include "src/base/clock.hpp"
#include "src/base/interface.hpp"
#include "src/wire/http_session.hpp"

#include <cstddef>
#include <span>

namespace smsrack::net {

class HttpConnection;

class ConnectionOwner : public Interface {
public:
    virtual void needs_flush(HttpConnection& connection) = 0;
    virtual void note(HttpConnection& connection, wire::SessionNote note) = 0;
    /// The connection is closing and won't call again.
    virtual void gone(HttpConnection& connection) = 0;
    /// Memory for one read, shared by all; of at most `bytes_max`.
    [[nodiscard]] virtual std::span<char> read_buffer(std::size_t bytes_max) = 0;
    [[nodiscard]] virtual bool is_privileged(const wire::Peer& peer) const = 0;
    /// Of a connection over the network: with the number by which its places are counted.
    [[nodiscard]] virtual wire::Peer known_peer(wire::Peer peer) const = 0;
    /// For a connection over the network; null: none.
    [[nodiscard]] virtual OctetFilterPtr new_filter() = 0;
};

/// What a connection is made with; all outlive it.
struct ConnectionParts {
    ConnectionOwner& owner;
    const wire::HttpLimits& limits;
    wire::HttpHandler& handler;
    const Clock& clock;
    wire::SessionBudget& budget;
};

}  // namespace smsrack::net
