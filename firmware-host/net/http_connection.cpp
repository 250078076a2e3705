#include "firmware-host/net/http_connection.hpp"

#include "firmware-host/net/handles.hpp"
#include "firmware-host/net/unix_socket.hpp"
#include "src/wire/http1.hpp"

#include <fcntl.h>
#include <poll.h>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>

namespace smsrack::net {
namespace {

constexpr std::size_t write_piece_max = 64UL * 1024;  // progress is seen in steps of this size
constexpr std::chrono::seconds filter_time{5};        // until both sides have agreed on keys

uv_buf_t buffer_of(std::string_view text) {
    // libuv does not write to what it sends; its type serves both directions.
    return uv_buf_init(const_cast<char*>(text.data()), static_cast<unsigned>(text.size()));
}

/// The other side has closed, not only said that it sends nothing more: the kernel distinguishes
/// both for Unix sockets.
bool peer_has_left(int fd) {
    pollfd seen{.fd = fd, .events = 0, .revents = 0};
    return fd >= 0 && ::poll(&seen, 1, 0) == 1 && (seen.revents & (POLLHUP | POLLERR)) != 0;
}

}  // namespace

HttpConnection* HttpConnection::accept(uv_loop_t& loop, uv_stream_t& listener, const Parts& parts) {
    auto* socket = new SocketHandle{};
    const bool is_tcp = listener.type == UV_TCP;
    if (is_tcp) {
        uv_tcp_init(&loop, &socket->tcp);
    } else {
        uv_pipe_init(&loop, &socket->pipe, 0);
    }
    if (uv_accept(&listener, &socket->stream) != 0) {
        close_and_delete(socket);
        return nullptr;
    }
    if (!is_tcp) {
        return new HttpConnection(parts, socket, peer_of(descriptor_of(socket)), nullptr);
    }
    uv_tcp_nodelay(&socket->tcp, 1);
    return new HttpConnection(parts, socket,
                              parts.owner.known_peer(network_peer_of(descriptor_of(socket))),
                              parts.owner.new_filter());
}

HttpConnection* HttpConnection::adopt(uv_loop_t& loop, int fd, wire::SessionCarried session,
                                      const Parts& parts) {
    auto* socket = new SocketHandle{};
    uv_pipe_init(&loop, &socket->pipe, 0);
    if (uv_pipe_open(&socket->pipe, fd) != 0) {
        ::close(fd);
        close_and_delete(socket);
        return nullptr;
    }
    auto* connection = new HttpConnection(parts, socket, peer_of(fd), nullptr);
    connection->session_.adopt(std::move(session));
    return connection;
}

void HttpConnection::hold(bool held) {
    session_.hold(held);
    session_changed();
}

std::pair<int, wire::SessionCarried> HttpConnection::leave() {
    const int fd = fcntl(descriptor_of(socket_), F_DUPFD_CLOEXEC, 3);
    // Of a write that libuv has begun, what the kernel took is not written again.
    const std::size_t taken =
        state_ == ConnectionState::writing
            ? write_buffer_.size() - uv_stream_get_write_queue_size(&socket_->stream)
            : 0;
    wire::SessionCarried session = session_.carried();
    session.output.erase(0, taken);
    close();
    return {fd, std::move(session)};
}

HttpConnection::HttpConnection(const Parts& parts, SocketHandle* socket, wire::Peer peer,
                               OctetFilterPtr filter)
    : owner_(parts.owner),
      clock_(parts.clock),
      socket_(socket),
      filter_(std::move(filter)),
      ready_by_(parts.clock.steady() + filter_time),
      write_time_(parts.limits.write_time),
      last_active_(parts.clock.steady()),
      peer_(std::move(peer)),
      share_(parts.budget, peer_.uid, parts.owner.is_privileged(peer_)),
      session_(parts.limits, parts.handler, *this, parts.clock, share_, peer_) {
    socket_->handle.data = this;
    write_request_.data = this;
}

bool HttpConnection::apply(ConnectionEvent event) {
    const auto to = next(connection_rules, state_, event);
    state_ = to.value_or(state_);
    return to.has_value();
}

void HttpConnection::session_changed() {
    if (!is_closed() && !flush_wanted) {
        flush_wanted = true;
        owner_.needs_flush(*this);
    }
}

void HttpConnection::flush() {
    if (is_closed()) {
        return;
    }
    if (!write_on()) {
        close();
        return;
    }
    if (session_.output_ended() && to_write().empty() && apply(ConnectionEvent::output_ended)) {
        shutdown(descriptor_of(socket_), SHUT_WR);
    }
    // What the session has said is still with the filter, unless the session is lost.
    if (session_.finished() &&
        (filter_ == nullptr || !session_.output_ended() || to_write().empty())) {
        close();
        return;
    }
    read_on();
}

/// What the filter holds leaves before the session is asked for more, so it holds little.
std::string_view HttpConnection::to_write() {
    if (filter_ == nullptr) {
        return session_.output();
    }
    constexpr std::size_t record_max = 16UL * 1024;  // one record of TLS
    const std::string_view plain = session_.output().substr(0, record_max);
    if (filter_->output().empty() && filter_->is_ready() && !plain.empty()) {
        filter_->send(plain);
        session_.written(plain.size());
    } else if (filter_->output().empty() && session_.output_ended() &&
               !std::exchange(end_said_, true)) {
        filter_->send_end();
    }
    return filter_->output();
}

void HttpConnection::written(std::size_t count) {
    last_active_ = clock_.steady();
    if (filter_ != nullptr) {
        filter_->written(count);
    } else {
        session_.written(count);
    }
}

bool HttpConnection::write_on() {
    while (state_ == ConnectionState::free) {
        const std::string_view piece = to_write().substr(0, write_piece_max);
        if (piece.empty()) {
            break;
        }
        const uv_buf_t buffer = buffer_of(piece);
        const int count = uv_try_write(&socket_->stream, &buffer, 1);
        if (count < 0 && count != UV_EAGAIN) {
            return false;
        }
        if (count > 0) {
            written(static_cast<std::size_t>(count));
        } else {
            start_write(piece);
        }
    }
    return !is_closed();
}

void HttpConnection::start_write(std::string_view piece) {
    write_buffer_ = piece;
    writing_since_ = clock_.steady();
    const uv_buf_t buffer = buffer_of(write_buffer_);
    if (uv_write(&write_request_, &socket_->stream, &buffer, 1, on_written) == 0) {
        apply(ConnectionEvent::write_begun);
    } else {
        close();
    }
}

void HttpConnection::on_written(uv_write_t* request, int status) noexcept {
    auto& self = *static_cast<HttpConnection*>(request->data);
    if (!self.apply(ConnectionEvent::written)) {
        return;  // closed meanwhile
    }
    if (status != 0) {
        self.close();
        return;
    }
    self.written(std::exchange(self.write_buffer_, {}).size());
    self.session_changed();
}

/// A client can make a filter say much with few octets, so what it has not taken stops the reading.
bool HttpConnection::wants_input() const {
    return session_.wants_input() &&
           (filter_ == nullptr || filter_->output().size() < write_piece_max);
}

/// What comes while nothing is wanted finds no memory, which ends the reading. Nothing does, mostly: a client waits for its
/// answer; so the kernel is not asked to stop and to begin again for each request.
void HttpConnection::read_on() {
    if (reading_ || !wants_input()) {
        return;
    }
    reading_ = true;
    uv_read_start(
        &socket_->stream,
        [](uv_handle_t* handle, std::size_t, uv_buf_t* buffer) noexcept {
            auto& self = *static_cast<HttpConnection*>(handle->data);
            // What is read counts at once; others may have taken the room since the reading began.
            const bool reads = self.wants_input();
            const std::span<char> memory =
                reads ? self.owner_.read_buffer(self.session_.read_bytes_max()) : std::span<char>();
            *buffer = uv_buf_init(memory.data(), static_cast<unsigned>(memory.size()));
        },
        on_read);
}

void HttpConnection::on_read(uv_stream_t* stream, ssize_t count, const uv_buf_t* buffer) noexcept {
    auto& self = *static_cast<HttpConnection*>(stream->data);
    if (count > 0) {
        self.last_active_ = self.clock_.steady();
        if (static_cast<std::size_t>(count) == buffer->len) {
            // libuv would keep reading while there is data; flush() continues when others had their
            // turn.
            self.reading_ = false;
            uv_read_stop(stream);
        }
        if (!self.take(std::string_view(buffer->base, static_cast<std::size_t>(count)))) {
            self.close();
            return;
        }
    } else if (count == UV_EOF) {
        self.reading_ = false;
        uv_read_stop(stream);
        self.session_.end_of_input();
        if (self.session_.is_endless() &&
            (stream->type == UV_TCP || peer_has_left(descriptor_of(self.socket_)))) {
            self.close();
            return;
        }
    } else if (count == UV_ENOBUFS) {
        self.reading_ = false;  // flush() begins again once it is wanted
        uv_read_stop(stream);
    } else if (count < 0) {
        self.close();
        return;
    }
    self.session_changed();
}

/// False: the connection is of no more use.
bool HttpConnection::take(std::string_view octets) {
    if (filter_ == nullptr) {
        session_.receive(octets);
        return true;
    }
    std::string plain;
    const bool was_ready = filter_->is_ready();
    const OctetFilter::Came came = filter_->receive(octets, plain);
    if (!was_ready && filter_->is_ready()) {
        session_.shown(filter_->peer_name());
    }
    if (!plain.empty()) {
        session_.receive(plain);
    }
    if (came == OctetFilter::Came::end) {
        session_.end_of_input();
        return !session_.is_endless();
    }
    if (came == OctetFilter::Came::broken && !filter_->output().empty() &&
        state_ == ConnectionState::free) {
        const uv_buf_t why = buffer_of(filter_->output());
        (void)uv_try_write(&socket_->stream, &why, 1);
    }
    return came == OctetFilter::Came::more;
}

void HttpConnection::step(SteadyTime now) {
    if (now >= filter_deadline()) {  // the session knows nothing of what the filter holds
        owner_.note(*this, wire::SessionNote::timeout);
        session_.connection_lost();  // flush() closes it: its owner is walking through all of them
        return;
    }
    session_.step(now);
}

void HttpConnection::look_again() {
    if (!is_closed()) {
        session_.look_again();
        session_changed();
    }
}

void HttpConnection::refuse(const wire::HttpResponse& response) {
    std::string text;
    wire::append_head(text, response, wire::Framing::length, false);
    text += response.body;
    const uv_buf_t buffer = buffer_of(text);
    (void)uv_try_write(&socket_->stream, &buffer, 1);  // a new socket has room for it
    close();
}

void HttpConnection::drain() {
    session_.drain();
    session_changed();
}

void HttpConnection::close() {
    if (!apply(ConnectionEvent::closed)) {
        return;
    }
    session_.connection_lost();
    owner_.gone(*this);
    uv_close(&socket_->handle, [](uv_handle_t* handle) noexcept {
        delete static_cast<HttpConnection*>(handle->data);
        delete reinterpret_cast<SocketHandle*>(handle);
    });
}

}  // namespace smsrack::net
