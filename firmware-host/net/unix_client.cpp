#include "firmware-host/net/unix_client.hpp"

#include "src/base/check.hpp"

#include <utility>

namespace smsrack::net {

struct UnixClient::State {
    uv_pipe_t pipe{};
    uv_connect_t connect{};
    uv_write_t write{};
    Events events;
    std::span<char> memory;
    std::string waiting = {};  // to be written after `writing`
    std::string writing = {};  // given to libuv
    bool connected = false;
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

    void write_on() {
        if (!connected || closed || !writing.empty() || waiting.empty()) {
            return;
        }
        writing = std::exchange(waiting, {});
        const uv_buf_t buffer = uv_buf_init(writing.data(), static_cast<unsigned>(writing.size()));
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
        // Else it is not connected: what the other side does comes later.
        SMSRACK_CHECK(status == 0);
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
                        self.read_on();
                        self.write_on();
                    });
}

UnixClient::~UnixClient() {
    state_->closed = true;
    state_->events = {};
    uv_close(as_handle(&state_->pipe),
             [](uv_handle_t* handle) noexcept { delete static_cast<State*>(handle->data); });
}

void UnixClient::write(std::string octets) {
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
