#include "firmware-host/net/tcp_peer.hpp"

#include "firmware-host/net/handles.hpp"
#include "firmware-host/net/unix_socket.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::net {

struct TcpPeer::State {
    uv_tcp_t tcp{};
    uv_write_t write{};
    Events events = {};
    std::span<char> memory = {};
    OctetFilterPtr filter = {};  // null: none
    std::string address = {};
    std::string waiting = {};  // to be written after `writing`
    std::string writing = {};  // given to libuv
    bool paused = true;
    bool closed = false;  // no further event

    [[nodiscard]] uv_stream_t* stream() { return as_stream(&tcp); }

    void read_on() {
        if (closed) {
            return;
        }
        if (paused) {
            uv_read_stop(stream());
            return;
        }
        uv_read_start(
            stream(),
            [](uv_handle_t* handle, std::size_t, uv_buf_t* buffer) noexcept {
                const std::span<char> room = static_cast<State*>(handle->data)->memory;
                *buffer = uv_buf_init(room.data(), static_cast<unsigned>(room.size()));
            },
            [](uv_stream_t* it, ssize_t count, const uv_buf_t* buffer) noexcept {
                auto& self = *static_cast<State*>(it->data);
                if (count < 0) {
                    self.tell_closed();
                } else if (count > 0 && !self.closed) {
                    self.take(std::string_view(buffer->base, static_cast<std::size_t>(count)));
                }
            });
    }

    /// The callbacks are copies: each may destroy what it is called of.
    void take(std::string_view octets) {
        if (filter == nullptr) {
            const auto data = events.data;
            return data(octets);
        }
        std::string plain;
        const OctetFilter::Came came = filter->receive(octets, plain);
        take_output();
        if (!plain.empty()) {
            const auto data = events.data;
            data(plain);
        }
        // `this` outlives the TcpPeer until libuv has closed the socket.
        if (came != OctetFilter::Came::more) {
            tell_closed();
        }
    }

    /// What the filter wants to say.
    void take_output() {
        waiting += filter->output();
        filter->written(filter->output().size());
        write_on();
    }

    void write_on() {
        if (closed || !writing.empty() || waiting.empty()) {
            return;
        }
        uv_buf_t buffer = uv_buf_init(waiting.data(), static_cast<unsigned>(waiting.size()));
        const int taken = uv_try_write(stream(), &buffer, 1);
        if (taken == static_cast<int>(waiting.size())) {
            waiting = {};
            return;
        }
        writing = std::exchange(waiting, {});
        writing.erase(0, static_cast<std::size_t>(std::max(taken, 0)));  // an error comes again
        buffer = uv_buf_init(writing.data(), static_cast<unsigned>(writing.size()));
        const int status =
            uv_write(&write, stream(), &buffer, 1, [](uv_write_t* request, int result) noexcept {
                auto& self = *static_cast<State*>(request->data);
                self.writing.clear();
                if (self.closed) {
                    return;
                }
                if (result != 0) {
                    return self.tell_closed();
                }
                self.write_on();
                if (self.writing.empty() && self.events.written) {
                    const auto written = self.events.written;
                    written();
                }
            });
        if (status != 0) {
            writing.clear();  // its end comes to the reader
        }
    }

    void tell_closed() {
        if (!std::exchange(closed, true)) {
            uv_read_stop(stream());
            const auto told = events.closed;
            told();
        }
    }
};

std::unique_ptr<TcpPeer> TcpPeer::accept(Loop& loop, uv_stream_s& listener, OctetFilterPtr filter,
                                         std::span<char> memory) {
    auto* const state = new State{.memory = memory, .filter = std::move(filter)};
    uv_tcp_init(loop.raw(), &state->tcp);
    state->tcp.data = state;
    state->write.data = state;
    std::unique_ptr<TcpPeer> peer(new TcpPeer(state));
    if (uv_accept(&listener, state->stream()) != 0) {
        return nullptr;
    }
    uv_tcp_nodelay(&state->tcp, 1);
    state->address = network_peer_of(descriptor_of(&state->tcp)).address;
    return peer;
}

TcpPeer::~TcpPeer() {
    if (state_->filter != nullptr && !state_->closed) {
        state_->filter->send_end();
        state_->take_output();  // what the kernel does not take at once is lost
    }
    state_->closed = true;
    state_->events = {};
    uv_close(as_handle(&state_->tcp),
             [](uv_handle_t* handle) noexcept { delete static_cast<State*>(handle->data); });
}

void TcpPeer::start(Events events) {
    state_->events = std::move(events);
    pause(false);
}

void TcpPeer::write(std::string_view octets) {
    if (state_->closed || octets.empty()) {
        return;
    }
    if (state_->filter != nullptr) {
        state_->filter->send(octets);
        return state_->take_output();
    }
    state_->waiting += octets;
    state_->write_on();
}

std::size_t TcpPeer::backlog() const {
    return state_->waiting.size() + state_->writing.size();
}

void TcpPeer::pause(bool paused) {
    if (state_->paused != paused) {
        state_->paused = paused;
        state_->read_on();
    }
}

const std::string& TcpPeer::address() const {
    return state_->address;
}

bool TcpPeer::is_ready() const {
    return state_->filter == nullptr || state_->filter->is_ready();
}

}  // namespace smsrack::net
