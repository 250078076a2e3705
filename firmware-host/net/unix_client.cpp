#include "firmware-host/net/unix_client.hpp"

#include "src/base/check.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::net {
namespace {

uv_buf_t buffer_of(std::string& text) {
    return uv_buf_init(text.data(), static_cast<unsigned>(text.size()));
}

}  // namespace

struct UnixClient::State {
    uv_pipe_t pipe{};
    uv_connect_t connect{};
    uv_write_t write{};
    Events events;
    std::span<char> memory;
    std::string waiting = {};  // to be written after `writing`
    std::string writing = {};  // given to libuv
    bool connected = false;
    /// The other side takes no more: what it said before, and its end, are still read.
    bool refused = false;
    bool paused = false;
    bool closed = false;  // no further event

    [[nodiscard]] uv_stream_t* stream() { return as_stream(&pipe); }

    void read_on() {
        if (!connected || closed) {
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
                    // A copy: the callback may destroy what it is called of.
                    const auto data = self.events.data;
                    data(std::string_view(buffer->base, static_cast<std::size_t>(count)));
                }
            });
    }

    /// What the kernel takes at once needs no request of libuv, which would ask the kernel about this socket once more.
    void write_on() {
        if (!connected || closed || !writing.empty() || waiting.empty()) {
            return;
        }
        uv_buf_t buffer = buffer_of(waiting);
        const int taken = uv_try_write(stream(), &buffer, 1);
        if (taken == static_cast<int>(waiting.size())) {
            waiting = {};
            return;
        }
        writing = std::exchange(waiting, {});
        writing.erase(0, static_cast<std::size_t>(std::max(taken, 0)));  // an error comes again
        buffer = buffer_of(writing);
        const int status =
            uv_write(&write, stream(), &buffer, 1, [](uv_write_t* request, int result) noexcept {
                auto& self = *static_cast<State*>(request->data);
                self.writing.clear();
                if (self.closed) {
                    return;
                }
                if (result == UV_EPIPE || result == UV_ECONNRESET) {
                    self.waiting = {};
                    self.refused = true;
                    return;
                }
                if (result != 0) {
                    return self.tell_closed();
                }
                self.write_on();
                self.tell_written();
            });
        // Else it is not connected: what the other side does comes later.
        SMSRACK_CHECK(status == 0);
    }

    void tell_written() {
        if (writing.empty() && events.written) {
            const auto written = events.written;
            written();
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

UnixClient::UnixClient(Loop& loop, const std::string& path, std::span<char> memory, Events events)
    : state_(new State{.events = std::move(events), .memory = memory}) {
    uv_pipe_init(loop.raw(), &state_->pipe, 0);
    state_->pipe.data = state_;
    state_->connect.data = state_;
    state_->write.data = state_;
    uv_pipe_connect(&state_->connect, &state_->pipe, path.c_str(),
                    [](uv_connect_t* request, int status) noexcept {
                        auto& self = *static_cast<State*>(request->data);
                        if (self.closed) {
                            return;
                        }
                        if (status != 0) {
                            return self.tell_closed();
                        }
                        self.connected = true;
                        const bool waited = !self.waiting.empty();
                        self.read_on();
                        self.write_on();
                        if (waited) {
                            self.tell_written();
                        }
                    });
}

UnixClient::~UnixClient() {
    state_->closed = true;
    state_->events = {};
    uv_close(as_handle(&state_->pipe),
             [](uv_handle_t* handle) noexcept { delete static_cast<State*>(handle->data); });
}

void UnixClient::write(std::string octets) {
    if (state_->refused) {
        return;
    }
    if (state_->waiting.empty()) {
        state_->waiting = std::move(octets);
    } else {
        state_->waiting += octets;
    }
    state_->write_on();
}

std::size_t UnixClient::backlog() const {
    return state_->waiting.size() + state_->writing.size();
}

bool UnixClient::connected() const {
    return state_->connected;
}

void UnixClient::pause(bool paused) {
    if (state_->paused != paused) {
        state_->paused = paused;
        state_->read_on();
    }
}

}  // namespace smsrack::net
