/// Watches a socket that another library reads and writes, as that library asks.
///
/// Threads: loop thread. The callback may destroy the watch. The socket may be closed once the watch is gone.
#pragma once

#include "firmware-host/net/loop.hpp"

#include <functional>

struct uv_poll_s;  // NOLINT(readability-identifier-naming): libuv's own name

namespace smsrack::net {

class SocketWatch {
public:
    /// An error of the socket counts as both: reading or writing reports it.
    using Ready = std::function<void(bool readable, bool writable)>;

    /// `loop` outlives the watch. It waits for nothing yet.
    SocketWatch(Loop& loop, int fd, Ready ready);
    ~SocketWatch();
    SocketWatch(const SocketWatch&) = delete;
    SocketWatch& operator=(const SocketWatch&) = delete;

    void want(bool reading, bool writing);

private:
    const Ready ready_;
    uv_poll_s* const poll_;  // ends once libuv has closed it
};

}  // namespace smsrack::net
