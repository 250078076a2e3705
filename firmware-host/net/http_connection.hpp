/// One accepted connection: moves octets between its socket and its HttpSession, through a filter where
/// its listener has one.
///
/// What changes only marks the connection; flush() then reads its session once per wake-up of the
/// loop, so that many answers leave in one write.
/// Threads: loop thread. It ends itself once libuv has closed its socket.
#pragma once

#include "firmware-host/net/connection_owner.hpp"
#include "firmware-host/net/handles.hpp"
#include "firmware-host/net/octet_filter.hpp"
#include "src/base/clock.hpp"
#include "src/base/state_table.hpp"
#include "src/wire/http_session.hpp"

#include <uv.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace smsrack::net {

/// The sending side of a connection, and its end. Reading is independent of it.
enum class ConnectionState : std::uint8_t {
    free,     ///< the next octets may be written
    writing,  ///< libuv has octets that the kernel did not take at once
    shut,     ///< everything has left, and the client sees the end
    closed,   ///< its socket closes; only libuv knows the object still
};
enum class ConnectionEvent : std::uint8_t { write_begun, written, output_ended, closed };

inline constexpr std::array connection_rules{
    Rule{ConnectionState::free, ConnectionEvent::write_begun, ConnectionState::writing},
    Rule{ConnectionState::free, ConnectionEvent::output_ended, ConnectionState::shut},
    Rule{ConnectionState::free, ConnectionEvent::closed, ConnectionState::closed},
    Rule{ConnectionState::writing, ConnectionEvent::written, ConnectionState::free},
    Rule{ConnectionState::writing, ConnectionEvent::closed, ConnectionState::closed},
    Rule{ConnectionState::shut, ConnectionEvent::closed, ConnectionState::closed},
};
static_assert(!next(connection_rules, ConnectionState::closed, ConnectionEvent::written));

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
    [[nodiscard]] bool is_settled() const { return is_closed() || session_.is_settled(); }
    /// A further descriptor, which the caller closes (-1: there is none), and what was said so far. Then this
    /// end of it is over.
    [[nodiscard]] std::pair<int, wire::SessionCarried> leave();

    /// Writes, reads, closes, as the session wants it.
    void flush();
    /// Ends the connection at once.
    void close();

    void drain();
    void step(SteadyTime now);
    [[nodiscard]] SteadyTime deadline() const {
        return std::min(session_.deadline(), filter_deadline());
    }

    /// Octets of room for which it waits, 0: none; look_again() once there may be as much.
    [[nodiscard]] std::size_t wanted_room() const {
        return is_closed() ? 0 : session_.wanted_room();
    }
    [[nodiscard]] std::size_t room() const { return share_.room(); }
    void look_again();

    [[nodiscard]] const wire::Peer& peer() const { return peer_; }
    [[nodiscard]] bool is_idle() const { return session_.is_idle(); }
    /// When its client last sent something, or took something.
    [[nodiscard]] SteadyTime last_active() const { return last_active_; }
    /// Says so and closes: for one that was not taken.
    void refuse(const wire::HttpResponse& response);
    /// The same behind a filter, which must be ready before anything can be said: its first request is refused.
    void refuse_request() { session_.refuse_requests(); }
    [[nodiscard]] bool is_filtered() const { return filter_ != nullptr; }

    /// For the owner's list of those that need a flush.
    bool flush_wanted = false;
    /// For its list of those that wait for room.
    bool waits_for_room = false;

private:
    HttpConnection(const Parts& parts, SocketHandle* socket, wire::Peer peer,
                   OctetFilterPtr filter);
    ~HttpConnection() override = default;

    void session_changed() override;
    void note(wire::SessionNote note) override { owner_.note(*this, note); }

    [[nodiscard]] bool is_closed() const { return state_ == ConnectionState::closed; }
    /// False: the table refuses it.
    bool apply(ConnectionEvent event);
    void read_on();
    bool write_on();
    void start_write(std::string_view piece);
    [[nodiscard]] std::string_view to_write();
    void written(std::size_t count);
    [[nodiscard]] bool take(std::string_view octets);
    [[nodiscard]] bool wants_input() const;
    /// Until then the filter must be ready, and the client must have taken what libuv writes.
    [[nodiscard]] SteadyTime filter_deadline() const {
        return filter_ == nullptr                   ? never
               : !filter_->is_ready()               ? ready_by_
               : state_ != ConnectionState::writing ? never
                                                    : writing_since_ + write_time_;
    }
    static void on_read(uv_stream_t* stream, ssize_t count, const uv_buf_t* buffer) noexcept;
    static void on_written(uv_write_t* request, int status) noexcept;

    ConnectionOwner& owner_;
    const Clock& clock_;
    SocketHandle* const socket_;   // ends with this object
    const OctetFilterPtr filter_;  // null: none
    const SteadyTime ready_by_;    // the filter
    const std::chrono::seconds write_time_;
    SteadyTime last_active_;
    SteadyTime writing_since_ = {};  // while writing
    const wire::Peer peer_;
    wire::SessionBudget::Share share_;
    wire::HttpSession session_;
    uv_write_t write_request_{};
    // Of a write that the kernel did not take at once, <= write_piece_max.
    std::string write_buffer_;
    ConnectionState state_ = ConnectionState::free;
    bool reading_ = false;   // libuv reads; independent of state_
    bool end_said_ = false;  // to the filter
};

}  // namespace smsrack::net
