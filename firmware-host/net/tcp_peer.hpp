/// A connection that a TcpListener has accepted, as octets: the counterpart of UnixClient for protocols that are not HTTP.
///
/// Bound:   backlog() is the caller's to bound.
/// Threads: loop thread. No callback comes after the object has gone, or after `closed`.
#pragma once

#include "firmware-host/net/loop.hpp"
#include "firmware-host/net/octet_filter.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

struct uv_stream_s;  // NOLINT(readability-identifier-naming): libuv's own name

namespace smsrack::net {

class TcpPeer {
public:
    /// Each may destroy the object.
    struct Events {
        std::function<void(std::string_view)> data = {};  ///< came, behind the filter
        std::function<void()> closed = {};                ///< the other side has gone, or is broken
        std::function<void()> written = {};               ///< everything has left
    };

    /// Takes the next waiting connection of `listener`; null where there is none, or no descriptor for it. `memory` is used
    /// for one read at a time, and may be shared; it outlives the object, as does `loop`. `filter`: null: none.
    [[nodiscard]] static std::unique_ptr<TcpPeer> accept(Loop& loop, uv_stream_s& listener,
                                                         OctetFilterPtr filter,
                                                         std::span<char> memory);
    ~TcpPeer();
    TcpPeer(const TcpPeer&) = delete;
    TcpPeer& operator=(const TcpPeer&) = delete;

    /// From now on it reads.
    void start(Events events);
    void write(std::string_view octets);
    /// Octets that the kernel has not taken.
    [[nodiscard]] std::size_t backlog() const;
    /// While paused nothing is read.
    void pause(bool paused);

    /// "192.0.2.1"
    [[nodiscard]] const std::string& address() const;
    /// Both sides have agreed on keys, or need none.
    [[nodiscard]] bool is_ready() const;

private:
    struct State;
    explicit TcpPeer(State* state) : state_(state) {}

    State* const state_;  // ends once libuv has closed it
};

}  // namespace smsrack::net
