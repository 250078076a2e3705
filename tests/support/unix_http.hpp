/// The local socket as a foreign client sees it: raw octets, or one HTTP request per connection.
///
/// Not the product's own client, so that both ends do not share a mistake.
/// Threads: one.
/// Errors:  std::runtime_error where the socket can't be reached or the deadline is over.
#pragma once

#include "src/wire/json.hpp"

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>

namespace smsrack::test {

/// A connection to a Unix socket; every call ends within 10 s.
class UnixStream {
public:
    explicit UnixStream(const std::filesystem::path& socket);
    UnixStream(const UnixStream&) = delete;
    UnixStream& operator=(const UnixStream&) = delete;
    ~UnixStream();

    /// False when the other side closed before it took everything.
    [[nodiscard]] bool send(std::string_view octets) const;
    /// As `send`, but gives up when nothing is taken for `patience`: how many octets went out.
    [[nodiscard]] std::size_t send_some(std::string_view octets,
                                        std::chrono::milliseconds patience) const;
    /// Some octets; empty: the other side closed.
    [[nodiscard]] std::string receive() const;
    /// All octets until the other side closes.
    [[nodiscard]] std::string receive_all() const;
    /// Octets up to and with `end`, or up to the close; what came behind it is kept for the next
    /// call.
    [[nodiscard]] std::string receive_until(std::string_view end);
    /// No more octets from us.
    void end_sending() const;

private:
    int fd_ = -1;
    std::string pending_;
};

struct HttpAnswer {
    int status = 0;
    std::string head;
    std::string body;

    /// The body as JSON; throws where it is none.
    [[nodiscard]] wire::Json json() const;
};

/// One request on its own connection. `headers`: whole lines, each with CRLF.
[[nodiscard]] HttpAnswer http(const std::filesystem::path& socket, std::string_view method,
                              std::string_view target, std::string_view body = {},
                              std::string_view headers = {});

/// What `http` puts on the wire.
[[nodiscard]] std::string http_request(std::string_view method, std::string_view target,
                                       std::string_view body, std::string_view headers);
/// Takes apart what came back.
[[nodiscard]] HttpAnswer parse_answer(std::string_view octets);

}  // namespace smsrack::test
