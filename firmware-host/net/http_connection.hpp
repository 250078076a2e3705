/// One accepted connection: moves octets between its socket and its HttpSession.
///
/// What changes only marks the connection; flush() then reads its session once per wake-up of the
/// loop, so that many answers leave in one write.
/// Threads: loop thread. It ends itself once libuv has closed its socket.
#pragma once

#include "firmware-host/net/connection_owner.hpp"
#include "src/base/clock.hpp"
#include "src/wire/http_session.hpp"

#include <uv.h>

#include <array>
#include <cstddef>
#include <string>
#include <utility>

namespace smsrack::net {

class HttpConnection final : public wire::SessionOwner {
public:
    using Parts = ConnectionParts;

    /// Takes the next waiting connection of `listener`; null where there is none, or no descriptor
    /// for it.
    [[nodiscard]] static HttpConnection* accept(uv_loop_t& loop, uv_stream_t& listener,
                                                const Parts& parts);

    /// Adopts a connection of another process. Null where libuv can't have it; `fd` is closed in
    /// any case.
    [[nodiscard]] static HttpConnection* adopt(uv_loop_t& loop, int fd,
                                               wire::SessionCarried session, const Parts& parts);

    // -- to leave it to another process
    void hold(bool held);
    [[nodiscard]] bool is_settled() const { return closing_ || session_.is_settled(); }
    /// A further descriptor, which the caller closes (-1: there is none), and what was said so far. Then this
    /// end of it is over.
    [[nodiscard]] std::pair<int, wire::SessionCarried> leave();

    /// Writes, reads, closes, as the session wants it.
    void flush();
    /// Ends the connection at once.
    void close();

    void drain();
    void step(SteadyTime now) { session_.step(now); }
    [[nodiscard]] SteadyTime deadline() const { return session_.deadline(); }

    /// Octets of room for which it waits, 0: none; look_again() once there may be as much.
    [[nodiscard]] std::size_t wanted_room() const { return closing_ ? 0 : session_.wanted_room(); }
    [[nodiscard]] std::size_t room() const { return share_.room(); }
    void look_again();

    [[nodiscard]] const wire::Peer& peer() const { return peer_; }
    [[nodiscard]] bool is_idle() const { return session_.is_idle(); }
    /// When its client last sent something, or took something.
    [[nodiscard]] SteadyTime last_active() const { return last_active_; }
    /// Says so and closes: for one that was not taken.
    void refuse(const wire::HttpResponse& response);

    /// For the owner's list of those that need a flush.
    bool flush_wanted = false;
    /// For its list of those that wait for room.
    bool waits_for_room = false;

private:
    HttpConnection(const Parts& parts, uv_pipe_t* pipe, wire::Peer peer);
    ~HttpConnection() override = default;

    void session_changed() override;
    void note(wire::SessionNote note) override { owner_.note(*this, note); }

    void read_on();
    bool write_on();
    void start_write(std::string_view piece);
    void shut_output();
    static void on_read(uv_stream_t* stream, ssize_t count, const uv_buf_t* buffer) noexcept;
    static void on_written(uv_write_t* request, int status) noexcept;

    ConnectionOwner& owner_;
    const Clock& clock_;
    uv_pipe_t* pipe_;  // ends with this object
    SteadyTime last_active_;
    const wire::Peer peer_;
    wire::SessionBudget::Share share_;
    wire::HttpSession session_;
    uv_write_t write_request_{};
    // Of a write that the kernel did not take at once, <= write_piece_max.
    std::string write_buffer_;
    bool writing_ = false;
    bool reading_ = false;
    bool output_shut_ = false;
    bool closing_ = false;
};

}  // namespace smsrack::net
