/// Serves an HttpHandler on a Unix socket, or on sockets of TCP.
///
/// Bound:   PlaceLimits; of the gate gate_places: a connection that finds no place gets 503 and is closed, or the idlest
///          connection of the account that has the most is closed; SessionBudget for the memory of
///          all. What is refused is counted, and logged with the account.
/// Threads: loop thread.
/// Errors:  listen(): busy where another service listens on the path, not_allowed or internal with
/// errno in `detail`.
#pragma once

#include "firmware-host/net/connection_owner.hpp"
#include "firmware-host/net/connection_places.hpp"
#include "firmware-host/net/flush_queue.hpp"
#include "firmware-host/net/listener.hpp"
#include "firmware-host/net/loop.hpp"
#include "firmware-host/net/tcp_listener.hpp"
#include "src/base/clock.hpp"
#include "src/base/log.hpp"
#include "src/base/result.hpp"
#include "src/stats/stats.hpp"
#include "src/wire/http_session.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <unordered_set>
#include <vector>

struct uv_prepare_s;  // NOLINT(readability-identifier-naming): libuv's own names
struct uv_timer_s;    // NOLINT(readability-identifier-naming)

namespace smsrack::net {

struct HttpServerSettings {
    std::string socket_path = {};  ///< of the Unix socket; empty: there is none
    unsigned socket_mode = 0660;
    std::optional<gid_t> socket_group = {};  ///< nullopt: that of the service
    PlaceLimits places = {};                 ///< a file descriptor and about 3 KiB each
    /// The account of smsrack-gate, which has places of its own: it distributes them by itself.
    std::optional<std::uint32_t> gate = {};
    /// What requests and unsent answers of all hold together.
    std::size_t memory_bytes = 16UL << 20;
    /// An administrator, or a proxy; may use the places that others may not.
    std::function<bool(const wire::Peer&)> is_privileged = [](const wire::Peer&) { return false; };
    wire::HttpLimits limits = {};
    /// Of TCP: makes the filter of a new connection; empty: none has one.
    std::function<OctetFilterPtr()> new_filter = {};
    /// Of TCP: the number by which the connections from an address are counted together.
    std::function<std::uint32_t(const std::string& address)> number_of = {};
};

/// 1,024 connections of clients with a call each, 256 event streams, and two for each of 1,000 accounts of SMPP.
inline constexpr PlaceLimits gate_places{.connections = 3'300, .per_account = 3'300, .kept = 0};

struct HttpServerParts {
    Loop& loop;
    wire::HttpHandler& handler;
    stats::Stats& stats;
    const Clock& clock;
    Log& log;
};

/// What a server hands over to the next one; its holder closes the descriptors.
struct ServerCarried {
    struct Client {
        int fd = -1;
        wire::SessionCarried session = {};
    };
    int listener = -1;      ///< -1: none, so a new one is made
    bool owns_file = true;  ///< false: its file belongs to systemd, and stays
    std::vector<Client> clients = {};
};

class HttpServer final : private ConnectionOwner {
public:
    /// The server ends before what is in `parts`.
    HttpServer(HttpServerSettings settings, const HttpServerParts& parts);
    ~HttpServer() override;

    /// Makes the socket, replacing a stale file.
    [[nodiscard]] Result<> listen() { return listener_.listen(); }
    /// For a TcpListener, which ends before the server.
    [[nodiscard]] TcpListener::Accept accept() {
        return [this](uv_stream_s& waits) { accept_one(waits); };
    }

    /// Instead of listen(): adopts what another server has handed over. Takes the descriptors.
    /// bad_config: its listener is none.
    [[nodiscard]] Result<> adopt(ServerCarried carried);

    /// Stops new connections and new requests, which then wait in their sockets; requests in flight
    /// are answered. Or starts them again.
    void hold(bool held);
    /// Since hold(true): everything can be left to another server.
    [[nodiscard]] bool is_settled() const;
    /// Afterwards this server serves no connection; no client notices, and the socket's file stays.
    [[nodiscard]] ServerCarried leave();
    /// A further descriptor of the listener, which the caller closes; the file stays when this server ends. -1: there
    /// is none.
    [[nodiscard]] int keep_listener() { return listener_.keep(); }

    /// No new connection, no new request; calls `then` once all pending answers have left. Streams
    /// are ended.
    void drain(std::function<void()> then);

    [[nodiscard]] std::size_t connections() const { return connections_.size(); }
    /// Octets of requests and answers, of all.
    [[nodiscard]] std::size_t memory_held() const { return budget_.held(); }

private:
    // -- ConnectionOwner
    void needs_flush(HttpConnection& connection) override { flushes_.add(connection); }
    void note(HttpConnection& connection, wire::SessionNote note) override;
    void gone(HttpConnection& connection) override;
    [[nodiscard]] std::span<char> read_buffer(std::size_t bytes_max) override {
        return std::span(read_memory_).first(std::min(read_memory_.size(), bytes_max));
    }
    [[nodiscard]] bool is_privileged(const wire::Peer& peer) const override {
        return (peer.known || !peer.address.empty()) && settings_.is_privileged(peer);
    }

    [[nodiscard]] wire::Peer known_peer(wire::Peer peer) const override {
        peer.uid = settings_.number_of ? settings_.number_of(peer.address) : 0;
        return peer;
    }
    [[nodiscard]] OctetFilterPtr new_filter() override {
        return settings_.new_filter ? settings_.new_filter() : nullptr;
    }

    [[nodiscard]] ConnectionParts connection_parts() {
        return {.owner = *this,
                .limits = settings_.limits,
                .handler = parts_.handler,
                .clock = parts_.clock,
                .budget = budget_};
    }
    void take(HttpConnection& connection);
    void accept_one(uv_stream_s& waits);
    [[nodiscard]] bool make_place(const wire::Peer& newcomer);
    [[nodiscard]] ConnectionPlaces& places_of(const wire::Peer& peer) {
        return peer.known && peer.uid == settings_.gate ? gate_places_ : places_;
    }
    [[nodiscard]] HttpConnection* idlest_of(std::uint32_t account) const;
    void say_refused(std::string_view event, const wire::Peer& peer, std::string_view why);
    void arm(SteadyTime deadline);
    void on_timer();
    void tell_drained();

    const HttpServerSettings settings_;
    const HttpServerParts parts_;
    wire::SessionBudget budget_;
    ConnectionPlaces places_;
    ConnectionPlaces gate_places_{gate_places};
    Listener listener_;
    FlushQueue flushes_;
    uv_prepare_s* const flusher_;  // both are deleted by libuv's closing
    uv_timer_s* const timer_;
    SteadyTime armed_for_ = never;
    std::unordered_set<HttpConnection*> connections_ = {};    // <= places; each ends itself
    std::unordered_set<const HttpConnection*> refused_ = {};  // of them, <= refused_max
    std::function<void()> drained_ = {};
    std::array<char, 64UL * 1024> read_memory_{};
};

}  // namespace smsrack::net
