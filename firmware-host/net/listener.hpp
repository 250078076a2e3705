/// The listening Unix socket of a server: made, or adopted from another server; held back for a
/// while, and left to the next one.
///
/// Threads: loop thread.
/// Errors:  busy where another service listens on the path, not_allowed or internal with errno in
///          `detail`; bad_config: an adopted descriptor is none.
#pragma once

#include "firmware-host/net/loop.hpp"
#include "src/base/log.hpp"
#include "src/base/result.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <sys/types.h>

struct uv_pipe_s;    // NOLINT(readability-identifier-naming): libuv's own names
struct uv_stream_s;  // NOLINT(readability-identifier-naming)

namespace smsrack::net {

struct ListenerPlace {
    std::string path = {};
    unsigned mode = 0660;
    std::optional<gid_t> group = {};  ///< nullopt: that of the service
};

class Listener {
public:
    /// `accept` is called for each connection that waits. `loop` and `log` outlive the object.
    Listener(ListenerPlace place, Loop& loop, Log& log, std::function<void(uv_stream_s&)> accept);
    ~Listener() { close(); }
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;

    /// Makes the socket, replacing a stale file.
    [[nodiscard]] Result<> listen();
    /// Instead: takes the descriptor. `owns_file` false: its file belongs to systemd, and stays.
    [[nodiscard]] Result<> adopt(int fd, bool owns_file);

    /// Connections wait in the socket; or no more.
    void hold(bool held);
    /// The held descriptor is the caller's now, and the file stays. -1: there is none.
    [[nodiscard]] int leave();
    /// A further descriptor, which the caller closes; the file stays. -1: there is none.
    [[nodiscard]] int keep();
    [[nodiscard]] bool owns_file() const { return owns_file_; }

    /// Nothing is accepted any more; the file goes, unless it is another's or was left.
    void close();

private:
    Result<> listen_on(int fd);

    const ListenerPlace place_;
    Loop& loop_;
    Log& log_;
    const std::function<void(uv_stream_s&)> accept_;
    uv_pipe_s* pipe_ = nullptr;  // deleted by libuv's closing
    std::uint64_t inode_ = 0;
    bool kept_ = false;      // another process has adopted it
    bool owns_file_ = true;  // removed at the end
    int held_ = -1;          // while no connection is accepted
};

}  // namespace smsrack::net
