/// A listening TCP socket: made at an address, or one that systemd made.
///
/// Threads: loop thread.
/// Errors:  busy: another program listens there; not_allowed, bad_config (no such address, or the
///          descriptor is no listening TCP socket) or internal, with errno in `detail`.
#pragma once

#include "firmware-host/net/loop.hpp"
#include "src/base/result.hpp"
#include "src/config/ip_address.hpp"

#include <functional>
#include <memory>

struct uv_stream_s;  // NOLINT(readability-identifier-naming): libuv's own names
struct uv_tcp_s;     // NOLINT(readability-identifier-naming)

namespace smsrack::net {

class TcpListener {
public:
    /// Called for each connection that waits.
    using Accept = std::function<void(uv_stream_s&)>;

    /// `loop` outlives the object.
    [[nodiscard]] static Result<std::unique_ptr<TcpListener>> at(
        const config::ListenAddress& address, Loop& loop, Accept accept);
    /// Takes the descriptor.
    [[nodiscard]] static Result<std::unique_ptr<TcpListener>> of(int fd, Loop& loop, Accept accept);
    ~TcpListener();
    TcpListener(const TcpListener&) = delete;
    TcpListener& operator=(const TcpListener&) = delete;

    /// "0.0.0.0:8775", as the system has it.
    [[nodiscard]] std::string place() const;

private:
    TcpListener(uv_tcp_s* tcp, Accept accept);
    [[nodiscard]] Result<> listen(const std::string& place);

    uv_tcp_s* const tcp_;  // deleted by libuv's closing
    const Accept accept_;
};

}  // namespace smsrack::net
