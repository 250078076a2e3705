#include "firmware-host/net/http_server.hpp"

#include "firmware-host/net/handles.hpp"
#include "firmware-host/net/http_connection.hpp"

#include <uv.h>

#include <utility>

namespace smsrack::net {
namespace {

// Connections without a place that are still told why, behind their filter.
constexpr std::size_t refused_max = 64;

struct Noted {
    stats::Counter counter;
    const char* refused = nullptr;  ///< why, where it is logged as refused
};

/// In the order of wire::SessionNote.
constexpr std::array noted_by{
    Noted{stats::Counter::http_requests},
    Noted{stats::Counter::http_bad_heads},
    Noted{stats::Counter::http_timeouts, "too_slow"},
    Noted{stats::Counter::http_requests_refused, "too_much_memory"},
};

}  // namespace

HttpServer::HttpServer(HttpServerSettings settings, const HttpServerParts& parts)
    : settings_(std::move(settings)),
      parts_(parts),
      budget_(settings_.memory_bytes),
      places_(settings_.places),
      listener_({.path = settings_.socket_path,
                 .mode = settings_.socket_mode,
                 .group = settings_.socket_group},
                parts.loop, parts.log, [this](uv_stream_s& waits) { accept_one(waits); }),
      flushes_(budget_, [this](SteadyTime deadline) { arm(deadline); }),
      flusher_(new uv_prepare_t{}),
      timer_(new uv_timer_t{}) {
    uv_prepare_init(parts.loop.raw(), flusher_);
    flusher_->data = this;
    uv_prepare_start(flusher_, [](uv_prepare_t* it) noexcept {
        static_cast<HttpServer*>(it->data)->flushes_.run();
    });
    uv_timer_init(parts.loop.raw(), timer_);
    timer_->data = this;
}

HttpServer::~HttpServer() {
    listener_.close();
    for (HttpConnection* connection : std::exchange(connections_, {})) {
        connection->close();
    }
    close_and_delete(flusher_);
    close_and_delete(timer_);
}

Result<> HttpServer::adopt(ServerCarried carried) {
    for (ServerCarried::Client& client : carried.clients) {
        if (HttpConnection* const connection = HttpConnection::adopt(
                *parts_.loop.raw(), client.fd, std::move(client.session), connection_parts())) {
            take(*connection);
        }
    }
    return listener_.adopt(carried.listener, carried.owns_file);
}

void HttpServer::hold(bool held) {
    listener_.hold(held);
    for (HttpConnection* connection : connections_) {
        connection->hold(held);
    }
}

bool HttpServer::is_settled() const {
    return std::ranges::all_of(
        connections_, [](const HttpConnection* connection) { return connection->is_settled(); });
}

ServerCarried HttpServer::leave() {
    ServerCarried carried{.listener = listener_.leave(), .owns_file = listener_.owns_file()};
    for (HttpConnection* connection : std::exchange(connections_, {})) {
        auto [fd, session] = connection->leave();
        if (fd >= 0) {
            carried.clients.push_back({fd, std::move(session)});
        }
    }
    flushes_.clear();
    return carried;
}

void HttpServer::accept_one(uv_stream_s& waits) {
    HttpConnection* const connection =
        HttpConnection::accept(*parts_.loop.raw(), waits, connection_parts());
    if (connection == nullptr) {
        parts_.stats.add(stats::Counter::http_connections_refused);
        return;
    }
    if (!make_place(connection->peer())) {
        parts_.stats.add(stats::Counter::http_connections_refused);
        say_refused("api_connection_refused", connection->peer(), "too_many_connections");
        if (connection->is_filtered() && refused_.size() < refused_max) {
            connection->refuse_request();
            refused_.insert(connection);
            connections_.insert(connection);
            connection->flush_wanted = true;
            return needs_flush(*connection);
        }
        connection->refuse(
            parts_.handler.refusal(503, "your account has too many connections; close some first"));
        return;
    }
    parts_.stats.add(stats::Counter::http_connections);
    take(*connection);
}

/// False: there is none for it. Else there is one, for which another connection may have gone.
bool HttpServer::make_place(const wire::Peer& newcomer) {
    const auto answer = places_of(newcomer).ask(newcomer.uid, is_privileged(newcomer));
    if (answer.action == ConnectionPlaces::Action::take) {
        return true;
    }
    HttpConnection* const victim = idlest_of(answer.account);
    if (victim == nullptr ||
        (answer.action == ConnectionPlaces::Action::exchange && !victim->is_idle())) {
        return false;
    }
    parts_.stats.add(stats::Counter::http_connections_dropped);
    say_refused("api_connection_dropped", victim->peer(), "too_many_connections");
    victim->close();
    return true;
}

/// One that is owed nothing goes before one that is busy, then the one that did nothing for longest. Null: it has none.
HttpConnection* HttpServer::idlest_of(std::uint32_t account) const {
    HttpConnection* idlest = nullptr;
    const auto rank = [](const HttpConnection& it) {
        return std::pair(!it.is_idle(), it.last_active());
    };
    for (HttpConnection* const connection : connections_) {
        if (connection->peer().uid == account && !refused_.contains(connection) &&
            (idlest == nullptr || rank(*connection) < rank(*idlest))) {
            idlest = connection;
        }
    }
    return idlest;
}

void HttpServer::say_refused(std::string_view event, const wire::Peer& peer, std::string_view why) {
    parts_.log.warn(
        event,
        {{"account", peer.uid}, {"why", why}, {"connections", places_of(peer).of(peer.uid)}});
}

void HttpServer::take(HttpConnection& connection) {
    connections_.insert(&connection);
    places_of(connection.peer()).taken(connection.peer().uid, is_privileged(connection.peer()));
    connection.flush_wanted = true;
    needs_flush(connection);
}

void HttpServer::gone(HttpConnection& connection) {
    if (connections_.erase(&connection) > 0 && refused_.erase(&connection) == 0) {
        places_of(connection.peer()).gone(connection.peer().uid);
    }
    flushes_.forget(connection);
    tell_drained();
}

void HttpServer::note(HttpConnection& connection, wire::SessionNote note) {
    const Noted& noted = noted_by.at(static_cast<std::size_t>(note));
    parts_.stats.add(noted.counter);
    if (noted.refused != nullptr) {
        say_refused("api_request_refused", connection.peer(), noted.refused);
    }
}

void HttpServer::arm(SteadyTime deadline) {
    if (deadline >= armed_for_) {
        return;
    }
    armed_for_ = deadline;
    const auto wait =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - parts_.clock.steady());
    uv_update_time(parts_.loop.raw());
    uv_timer_start(
        timer_, [](uv_timer_t* it) noexcept { static_cast<HttpServer*>(it->data)->on_timer(); },
        static_cast<std::uint64_t>(std::max<std::int64_t>(wait.count(), 0)), 0);
}

void HttpServer::on_timer() {
    armed_for_ = never;
    const SteadyTime now = parts_.clock.steady();
    for (HttpConnection* connection : connections_) {
        if (connection->deadline() <= now) {
            connection->step(now);
            if (!std::exchange(connection->flush_wanted, true)) {
                needs_flush(*connection);
            }
        } else {
            arm(connection->deadline());
        }
    }
}

void HttpServer::drain(std::function<void()> then) {
    drained_ = std::move(then);
    listener_.close();
    for (HttpConnection* connection : connections_) {
        connection->drain();
    }
    tell_drained();
}

void HttpServer::tell_drained() {
    if (connections_.empty() && drained_) {
        parts_.loop.post(Job(std::exchange(drained_, nullptr)));
    }
}

}  // namespace smsrack::net
