/// Serves an HttpHandler on a Unix socket.
///
/// Bound:   connections_max at once: further ones are closed at once and counted.
/// Threads: loop thread.
/// Errors:  listen(): busy where another service listens on the path, not_allowed or internal with
/// errno in `detail`.
#pragma once

#include "firmware-host/net/loop.hpp"
#include "src/base/clock.hpp"
#include "src/base/log.hpp"
#include "src/base/result.hpp"
#include "src/stats/stats.hpp"
#include "src/wire/http_session.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace smsrack::net {

struct HttpServerSettings {
    std::string socket_path = {};
    unsigned socket_mode = 0660;
    std::size_t connections_max =
        1024;  ///< a file descriptor and about 1 KiB each; a thousand local clients are a fault
    wire::HttpLimits limits = {};
};

struct HttpServerParts {
    Loop& loop;
    wire::HttpHandler& handler;
    stats::Stats& stats;
    const Clock& clock;
    Log& log;
};

class HttpServer {
public:
    /// The server ends before what is in `parts`.
    HttpServer(HttpServerSettings settings, const HttpServerParts& parts);
    ~HttpServer();
    HttpServer(const HttpServer&) = delete;
    HttpServer& operator=(const HttpServer&) = delete;

    /// Makes the socket, replacing a stale file.
    [[nodiscard]] Result<> listen();

    /// No new connection, no new request; calls `then` once all answers in hand have left. Streams
    /// are ended.
    void drain(std::function<void()> then);

    [[nodiscard]] std::size_t connections() const;

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace smsrack::net
