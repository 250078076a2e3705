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

uv_stream_t* as_stream(uv_pipe_t* pipe) {
    return reinterpret_cast<uv_stream_t*>(pipe);
}

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
    auto* pipe = new uv_pipe_t{};
    uv_pipe_init(&loop, pipe, 0);
    if (uv_accept(&listener, as_stream(pipe)) != 0) {
        close_and_delete(pipe);
        return nullptr;
    }
    return new HttpConnection(parts, pipe, peer_of(descriptor_of(pipe)));
}

HttpConnection* HttpConnection::adopt(uv_loop_t& loop, int fd, wire::SessionCarried session,
                                      const Parts& parts) {
    auto* pipe = new uv_pipe_t{};
    uv_pipe_init(&loop, pipe, 0);
    if (uv_pipe_open(pipe, fd) != 0) {
        ::close(fd);
        close_and_delete(pipe);
        return nullptr;
    }
    auto* connection = new HttpConnection(parts, pipe, peer_of(fd));
    connection->session_.adopt(std::move(session));
    return connection;
}

void HttpConnection::hold(bool held) {
    session_.hold(held);
    session_changed();
}

std::pair<int, wire::SessionCarried> HttpConnection::leave() {
    const int fd = fcntl(descriptor_of(pipe_), F_DUPFD_CLOEXEC, 3);
    // Of a write that libuv has begun, what the kernel took is not written again.
    const std::size_t taken =
        state_ == ConnectionState::writing
            ? write_buffer_.size() - uv_stream_get_write_queue_size(as_stream(pipe_))
            : 0;
    wire::SessionCarried session = session_.carried();
    session.output.erase(0, taken);
    close();
    return {fd, std::move(session)};
}

HttpConnection::HttpConnection(const Parts& parts, uv_pipe_t* pipe, wire::Peer peer)
    : owner_(parts.owner),
      clock_(parts.clock),
      pipe_(pipe),
      last_active_(parts.clock.steady()),
      peer_(std::move(peer)),
      share_(parts.budget, peer_.uid, parts.owner.is_privileged(peer_)),
      session_(parts.limits, parts.handler, *this, parts.clock, share_, peer_) {
    pipe_->data = this;
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
    if (session_.output_ended() && apply(ConnectionEvent::output_ended)) {
        shutdown(descriptor_of(pipe_), SHUT_WR);
    }
    if (session_.finished()) {
        close();
        return;
    }
    read_on();
}

bool HttpConnection::write_on() {
    while (state_ == ConnectionState::free && !session_.output().empty()) {
        const std::string_view piece = session_.output().substr(0, write_piece_max);
        const uv_buf_t buffer = buffer_of(piece);
        const int count = uv_try_write(as_stream(pipe_), &buffer, 1);
        if (count < 0 && count != UV_EAGAIN) {
            return false;
        }
        if (count > 0) {
            last_active_ = clock_.steady();
            session_.written(static_cast<std::size_t>(count));
        } else {
            start_write(piece);
        }
    }
    return !is_closed();
}

void HttpConnection::start_write(std::string_view piece) {
    write_buffer_ = piece;
    const uv_buf_t buffer = buffer_of(write_buffer_);
    if (uv_write(&write_request_, as_stream(pipe_), &buffer, 1, on_written) == 0) {
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
    self.last_active_ = self.clock_.steady();
    self.session_.written(std::exchange(self.write_buffer_, {}).size());
    self.session_changed();
}

void HttpConnection::read_on() {
    const bool wanted = session_.wants_input();
    if (wanted == reading_) {
        return;
    }
    reading_ = wanted;
    if (!wanted) {
        uv_read_stop(as_stream(pipe_));
        return;
    }
    uv_read_start(
        as_stream(pipe_),
        [](uv_handle_t* handle, std::size_t, uv_buf_t* buffer) noexcept {
            auto& self = *static_cast<HttpConnection*>(handle->data);
            // What is read counts at once; others may have taken the room since the reading began.
            const bool reads = self.session_.wants_input();
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
        self.session_.receive(std::string_view(buffer->base, static_cast<std::size_t>(count)));
    } else if (count == UV_EOF) {
        self.reading_ = false;
        uv_read_stop(stream);
        self.session_.end_of_input();
        if (self.session_.is_endless() && peer_has_left(descriptor_of(self.pipe_))) {
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
    (void)uv_try_write(as_stream(pipe_), &buffer, 1);  // a new socket has room for it
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
    uv_close(as_handle(pipe_), [](uv_handle_t* handle) noexcept {
        delete static_cast<HttpConnection*>(handle->data);
        delete reinterpret_cast<uv_pipe_t*>(handle);
    });
}

}  // namespace smsrack::net
