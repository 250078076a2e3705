/// A blocking HTTP/1.1 client over a Unix socket: keep-alive, and streamed bodies in both
/// directions at once.
///
/// Time:    `idle_timeout` is the longest silence of the service while an answer is awaited.
/// Threads: one at a time.
/// Errors:  no_device: no process listens on the socket, or there is none to be had; not_allowed:
///          the system refuses us the socket (both: before the first octet); timeout; protocol;
///          closed: the service went away before its answer was whole (whether it did what was
///          asked is not known), or `stop_fd` asked us to stop (detail EINTR).
#pragma once

#include "src/base/result.hpp"
#include "src/wire/response_parser.hpp"
#include "src/wire/url.hpp"
#include "tools/client/unique_fd.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smsrack::client {

using wire::percent_encoded;
using wire::ReplyHead;
using wire::ResponseParser;

struct ClientOptions {
    std::chrono::milliseconds idle_timeout{30'000};  ///< 0: none
    /// Of a collected body: a page of 1,000 messages is about 2 MiB.
    std::size_t reply_bytes_max = std::size_t{64} * 1024 * 1024;
    int stop_fd = -1;  ///< readable: stop; stays the caller's
};

struct HttpCall {
    std::string method = "GET";
    std::string target = "/";
    std::vector<std::pair<std::string, std::string>> headers = {};
    std::string body = {};
};

struct HttpReply {
    ReplyHead head = {};
    std::string body = {};  ///< empty where a sink took it
    [[nodiscard]] int status() const { return head.status; }
    [[nodiscard]] bool ok() const { return head.status >= 200 && head.status < 300; }
};

class HttpClient {
public:
    /// The next piece of the request's body; empty: that was all; nullopt: none before more of the
    /// answer has come.
    using Source = std::function<std::optional<std::string>()>;
    /// Called with an empty piece once the head of a 2xx answer has come, then with the pieces of
    /// its body. False: enough, the connection is closed.
    using Sink = std::function<bool(std::string_view)>;

    /// Connects with the first call, and again when the service has closed an idle connection.
    HttpClient(std::string socket_path, ClientOptions options);
    /// On a connected socket.
    HttpClient(UniqueFd connected, ClientOptions options);

    [[nodiscard]] Result<HttpReply> call(const HttpCall& call);

    /// With `source` the body is chunked and `call.body` does not count; it is asked as the socket
    /// takes. While it is sent the answer is read, so neither side waits for the other. Either may
    /// be empty.
    [[nodiscard]] Result<HttpReply> stream(const HttpCall& call, Source source, Sink sink);

private:
    class Exchange;

    [[nodiscard]] Result<> make_ready();

    const std::string socket_path_;
    const ClientOptions options_;
    UniqueFd socket_;
};

/// A connection to a local socket. no_device, not_allowed: as of a call.
[[nodiscard]] Result<UniqueFd> connect_unix(const std::string& path);

}  // namespace smsrack::client
