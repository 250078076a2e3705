#include "firmware-host/net/http_server.hpp"

#include "firmware-host/net/http_connection.hpp"
#include "firmware-host/net/unix_socket.hpp"

#include <uv.h>

#include <algorithm>
#include <array>
#include <deque>
#include <fcntl.h>
#include <unistd.h>
#include <unordered_set>
#include <utility>
#include <vector>

namespace smsrack::net {
namespace {

template <typename Handle>
uv_handle_t* as_handle(Handle* handle) {
    return reinterpret_cast<uv_handle_t*>(handle);
}

/// The handles outlive the server by the time that libuv needs to close them.
template <typename Handle>
void close_and_delete(Handle* handle) {
    uv_close(as_handle(handle),
             [](uv_handle_t* closed) noexcept { delete reinterpret_cast<Handle*>(closed); });
}

int duplicate_of(uv_pipe_t* pipe) {
    uv_os_fd_t fd = -1;
    return uv_fileno(as_handle(pipe), &fd) == 0 ? fcntl(fd, F_DUPFD_CLOEXEC, 3) : -1;
}

}  // namespace

class HttpServer::Impl final : public ConnectionOwner {
public:
    Impl(HttpServerSettings settings, const HttpServerParts& parts)
        : settings_(std::move(settings)),
          budget_(settings_.memory_bytes),
          places_(settings_.places),
          loop_(parts.loop),
          handler_(parts.handler),
          stats_(parts.stats),
          clock_(parts.clock),
          log_(parts.log) {
        uv_prepare_init(loop_.raw(), flusher_);
        flusher_->data = this;
        uv_prepare_start(
            flusher_, [](uv_prepare_t* it) noexcept { static_cast<Impl*>(it->data)->flush_all(); });
        uv_timer_init(loop_.raw(), timer_);
        timer_->data = this;
    }

    ~Impl() override {
        close_listener();
        for (HttpConnection* connection : std::exchange(connections_, {})) {
            connection->close();
        }
        close_and_delete(flusher_);
        close_and_delete(timer_);
    }

    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    Result<> listen();
    Result<> adopt(ServerCarried carried);
    void hold(bool held);
    [[nodiscard]] bool is_settled() const;
    ServerCarried leave();
    int keep_listener();
    void drain(std::function<void()> then);
    [[nodiscard]] std::size_t connections() const { return connections_.size(); }
    [[nodiscard]] std::size_t memory_held() const { return budget_.held(); }

    // -- ConnectionOwner
    void needs_flush(HttpConnection& connection) override { to_flush_.push_back(&connection); }
    void note(HttpConnection& connection, wire::SessionNote note) override;
    void gone(HttpConnection& connection) override;
    [[nodiscard]] uv_buf_t read_buffer(std::size_t bytes_max) override {
        return uv_buf_init(read_memory_.data(),
                           static_cast<unsigned>(std::min(read_memory_.size(), bytes_max)));
    }
    [[nodiscard]] bool is_privileged(const wire::Peer& peer) const override {
        return peer.known && settings_.is_privileged(peer);
    }

private:
    Result<> listen_on(int fd);
    [[nodiscard]] HttpConnection::Parts parts() {
        return {.owner = *this,
                .limits = settings_.limits,
                .handler = handler_,
                .clock = clock_,
                .budget = budget_};
    }
    void take(HttpConnection& connection);
    void accept_one();
    [[nodiscard]] bool make_place(const wire::Peer& newcomer);
    [[nodiscard]] HttpConnection* idlest_of(std::uint32_t account) const;
    void say_refused(std::string_view event, const wire::Peer& peer, std::string_view why);
    void close_listener();
    void flush_all();
    void flush(HttpConnection* const& place);
    void offer_room();
    void arm(SteadyTime deadline);
    void on_timer();
    void tell_drained();

    const HttpServerSettings settings_;
    wire::SessionBudget budget_;
    ConnectionPlaces places_;
    Loop& loop_;
    wire::HttpHandler& handler_;
    stats::Stats& stats_;
    const Clock& clock_;
    Log& log_;

    uv_pipe_t* listener_ = nullptr;  // these three are deleted by libuv's closing
    uv_prepare_t* flusher_ = new uv_prepare_t{};
    uv_timer_t* timer_ = new uv_timer_t{};
    std::uint64_t socket_inode_ = 0;
    SteadyTime armed_for_ = never;
    std::unordered_set<HttpConnection*> connections_;  // <= places; each ends itself
    std::vector<HttpConnection*> to_flush_;
    std::vector<HttpConnection*> flushing_;
    std::deque<HttpConnection*> want_room_;  // longest waiting first
    std::function<void()> drained_;
    bool kept_ = false;       // another process has adopted the listener
    bool owns_file_ = true;   // removed at the end
    int held_listener_ = -1;  // while no connection is accepted
    std::array<char, 64UL * 1024> read_memory_{};
};

Result<> HttpServer::Impl::listen() {
    const auto socket =
        listen_unix(settings_.socket_path, settings_.socket_mode, settings_.socket_group);
    if (!socket) {
        return std::unexpected(socket.error());
    }
    if (!socket->has_group) {
        log_.warn(
            "socket_group_refused",
            {{"socket", settings_.socket_path},
             {"detail",
              "the service's account is not in the group smsrack-api, so the socket keeps its own "
              "group; run `systemd-sysusers` and restart the service"}});
    }
    socket_inode_ = socket->inode;
    return listen_on(socket->fd);
}

Result<> HttpServer::Impl::listen_on(int fd) {
    listener_ = new uv_pipe_t{};
    uv_pipe_init(loop_.raw(), listener_, 0);
    listener_->data = this;
    constexpr int backlog = 512;
    int status = uv_pipe_open(listener_, fd);
    if (status != 0) {
        ::close(fd);
    } else {
        status = uv_listen(
            reinterpret_cast<uv_stream_t*>(listener_), backlog,
            [](uv_stream_t* it, int) noexcept { static_cast<Impl*>(it->data)->accept_one(); });
    }
    if (status != 0) {
        close_listener();
        return fail(Errc::internal, settings_.socket_path + ": " + uv_strerror(status), -status);
    }
    return {};
}

Result<> HttpServer::Impl::adopt(ServerCarried carried) {
    owns_file_ = carried.owns_file;
    for (ServerCarried::Client& client : carried.clients) {
        if (HttpConnection* const connection = HttpConnection::adopt(
                *loop_.raw(), client.fd, std::move(client.session), parts())) {
            take(*connection);
        }
    }
    if (carried.listener < 0) {
        return listen();
    }
    const auto socket = adopt_unix(carried.listener, settings_.socket_path);
    if (!socket) {
        ::close(carried.listener);
        return std::unexpected(socket.error());
    }
    socket_inode_ = socket->inode;
    return listen_on(socket->fd);
}

/// libuv itself would accept one more, so its handle goes, and the descriptor stays.
void HttpServer::Impl::hold(bool held) {
    if (held && listener_ != nullptr) {
        held_listener_ = duplicate_of(listener_);
        close_and_delete(std::exchange(listener_, nullptr));
    } else if (!held && held_listener_ >= 0) {
        if (auto listening = listen_on(std::exchange(held_listener_, -1)); !listening) {
            log_.error("api_listens_no_more", {{"error", listening.error().context}});
        }
    }
    for (HttpConnection* connection : connections_) {
        connection->hold(held);
    }
}

bool HttpServer::Impl::is_settled() const {
    return std::ranges::all_of(
        connections_, [](const HttpConnection* connection) { return connection->is_settled(); });
}

ServerCarried HttpServer::Impl::leave() {
    ServerCarried carried{.listener = std::exchange(held_listener_, -1), .owns_file = owns_file_};
    kept_ = true;
    for (HttpConnection* connection : std::exchange(connections_, {})) {
        auto [fd, session] = connection->leave();
        if (fd >= 0) {
            carried.clients.push_back({fd, std::move(session)});
        }
    }
    to_flush_.clear();
    return carried;
}

int HttpServer::Impl::keep_listener() {
    const int fd = listener_ == nullptr ? -1 : duplicate_of(listener_);
    kept_ = kept_ || fd >= 0;
    return fd;
}

void HttpServer::Impl::accept_one() {
    HttpConnection* const connection =
        HttpConnection::accept(*loop_.raw(), *reinterpret_cast<uv_stream_t*>(listener_), parts());
    if (connection == nullptr) {
        stats_.add(stats::Counter::http_connections_refused);
        return;
    }
    if (!make_place(connection->peer())) {
        stats_.add(stats::Counter::http_connections_refused);
        say_refused("api_connection_refused", connection->peer(), "too_many_connections");
        connection->refuse(
            handler_.refusal(503, "your account has too many connections; close some first"));
        return;
    }
    stats_.add(stats::Counter::http_connections);
    take(*connection);
}

/// False: there is none for it. Else there is one, for which another connection may have gone.
bool HttpServer::Impl::make_place(const wire::Peer& newcomer) {
    const auto answer = places_.ask(newcomer.uid, is_privileged(newcomer));
    if (answer.action == ConnectionPlaces::Action::take) {
        return true;
    }
    HttpConnection* const victim = idlest_of(answer.account);
    if (victim == nullptr ||
        (answer.action == ConnectionPlaces::Action::exchange && !victim->is_idle())) {
        return false;
    }
    stats_.add(stats::Counter::http_connections_dropped);
    say_refused("api_connection_dropped", victim->peer(), "too_many_connections");
    victim->close();
    return true;
}

/// One that is owed nothing goes before one that is busy, then the one that did nothing for longest. Null: it has none.
HttpConnection* HttpServer::Impl::idlest_of(std::uint32_t account) const {
    HttpConnection* idlest = nullptr;
    const auto rank = [](const HttpConnection& it) {
        return std::pair(!it.is_idle(), it.last_active());
    };
    for (HttpConnection* const connection : connections_) {
        if (connection->peer().uid == account &&
            (idlest == nullptr || rank(*connection) < rank(*idlest))) {
            idlest = connection;
        }
    }
    return idlest;
}

void HttpServer::Impl::say_refused(std::string_view event, const wire::Peer& peer,
                                   std::string_view why) {
    log_.warn(event, {{"account", peer.uid}, {"why", why}, {"connections", places_.of(peer.uid)}});
}

void HttpServer::Impl::take(HttpConnection& connection) {
    connections_.insert(&connection);
    places_.taken(connection.peer().uid, is_privileged(connection.peer()));
    connection.flush_wanted = true;
    needs_flush(connection);
}

void HttpServer::Impl::gone(HttpConnection& connection) {
    if (connections_.erase(&connection) > 0) {
        places_.gone(connection.peer().uid);
    }
    std::erase(to_flush_, &connection);
    if (connection.waits_for_room) {
        std::erase(want_room_, &connection);
    }
    std::ranges::replace(flushing_, &connection, nullptr);
    tell_drained();
}

void HttpServer::Impl::note(HttpConnection& connection, wire::SessionNote note) {
    switch (note) {
        case wire::SessionNote::request:
            stats_.add(stats::Counter::http_requests);
            break;
        case wire::SessionNote::bad_head:
            stats_.add(stats::Counter::http_bad_heads);
            break;
        case wire::SessionNote::timeout:
            stats_.add(stats::Counter::http_timeouts);
            say_refused("api_request_refused", connection.peer(), "too_slow");
            break;
        case wire::SessionNote::no_room:
            stats_.add(stats::Counter::http_requests_refused);
            say_refused("api_request_refused", connection.peer(), "too_much_memory");
            break;
    }
}

void HttpServer::Impl::flush_all() {
    offer_room();
    while (!to_flush_.empty()) {
        flushing_.swap(to_flush_);
        for (HttpConnection* const& place : flushing_) {
            flush(place);
        }
        flushing_.clear();
        offer_room();
    }
}

/// gone() makes a place null.
void HttpServer::Impl::flush(HttpConnection* const& place) {
    if (place == nullptr) {
        return;
    }
    place->flush_wanted = false;
    place->flush();
    if (place == nullptr) {
        return;
    }
    arm(place->deadline());
    if (place->wanted_room() > 0 && !std::exchange(place->waits_for_room, true)) {
        want_room_.push_back(place);
    }
}

/// Each that waits looks once, in the order in which they came: its flush puts it at the end again if it must wait on.
void HttpServer::Impl::offer_room() {
    if (want_room_.empty() || !budget_.take_released()) {
        return;
    }
    std::deque<HttpConnection*> waiting;
    for (HttpConnection* const connection : std::exchange(want_room_, {})) {
        if (connection->room() < connection->wanted_room()) {
            waiting.push_back(connection);
            continue;
        }
        connection->waits_for_room = false;
        connection->look_again();
    }
    want_room_ = std::move(waiting);
}

void HttpServer::Impl::arm(SteadyTime deadline) {
    if (deadline >= armed_for_) {
        return;
    }
    armed_for_ = deadline;
    const auto wait = std::chrono::ceil<std::chrono::milliseconds>(deadline - clock_.steady());
    uv_update_time(loop_.raw());
    uv_timer_start(
        timer_, [](uv_timer_t* it) noexcept { static_cast<Impl*>(it->data)->on_timer(); },
        static_cast<std::uint64_t>(std::max<std::int64_t>(wait.count(), 0)), 0);
}

void HttpServer::Impl::on_timer() {
    armed_for_ = never;
    const SteadyTime now = clock_.steady();
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

void HttpServer::Impl::close_listener() {
    if (listener_ == nullptr && held_listener_ < 0) {
        return;
    }
    if (owns_file_ && !kept_) {
        remove_unix(settings_.socket_path, socket_inode_);
    }
    if (listener_ != nullptr) {
        close_and_delete(std::exchange(listener_, nullptr));
    }
    if (held_listener_ >= 0) {
        ::close(std::exchange(held_listener_, -1));
    }
}

void HttpServer::Impl::drain(std::function<void()> then) {
    drained_ = std::move(then);
    close_listener();
    for (HttpConnection* connection : connections_) {
        connection->drain();
    }
    tell_drained();
}

void HttpServer::Impl::tell_drained() {
    if (connections_.empty() && drained_) {
        loop_.post(Job(std::exchange(drained_, nullptr)));
    }
}

HttpServer::HttpServer(HttpServerSettings settings, const HttpServerParts& parts)
    : impl_(std::make_unique<Impl>(std::move(settings), parts)) {}

HttpServer::~HttpServer() = default;

Result<> HttpServer::listen() {
    return impl_->listen();
}

Result<> HttpServer::adopt(ServerCarried carried) {
    return impl_->adopt(std::move(carried));
}

void HttpServer::hold(bool held) {
    impl_->hold(held);
}

bool HttpServer::is_settled() const {
    return impl_->is_settled();
}

ServerCarried HttpServer::leave() {
    return impl_->leave();
}

int HttpServer::keep_listener() {
    return impl_->keep_listener();
}

void HttpServer::drain(std::function<void()> then) {
    impl_->drain(std::move(then));
}

std::size_t HttpServer::memory_held() const {
    return impl_->memory_held();
}

std::size_t HttpServer::connections() const {
    return impl_->connections();
}

}  // namespace smsrack::net
