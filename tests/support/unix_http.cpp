#include "tests/support/unix_http.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fmt/format.h>
#include <poll.h>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/un.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace smsrack::test {

namespace {

constexpr int patience_ms = 10'000;  // every answer of the service is far quicker

std::string take_chunks(std::string_view in) {
    std::string out;
    while (true) {
        std::size_t size = 0;
        const auto end = in.find("\r\n");
        if (end == std::string_view::npos ||
            std::from_chars(in.data(), in.data() + end, size, 16).ec != std::errc{} ||
            in.size() < end + 2 + size) {
            throw std::runtime_error("a chunk is cut");
        }
        if (size == 0) {
            return out;
        }
        out += in.substr(end + 2, size);
        in.remove_prefix(end + 2 + size + 2);
    }
}

}  // namespace

UnixStream::UnixStream(const std::filesystem::path& socket)
    : fd_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string name = socket.string();
    if (name.size() >= sizeof address.sun_path) {
        close(fd_);
        throw std::runtime_error("path of the socket is too long: " + name);
    }
    std::memcpy(address.sun_path, name.data(), name.size());
    if (connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        const int why = errno;
        close(fd_);
        throw std::system_error(why, std::generic_category(), name);
    }
}

UnixStream::~UnixStream() {
    close(fd_);
}

bool UnixStream::send(std::string_view octets) const {
    return send_some(octets, std::chrono::milliseconds(patience_ms)) == octets.size();
}

std::size_t UnixStream::send_some(std::string_view octets,
                                  std::chrono::milliseconds patience) const {
    std::size_t sent = 0;
    while (sent < octets.size()) {
        pollfd writable{fd_, POLLOUT, 0};
        if (poll(&writable, 1, static_cast<int>(patience.count())) != 1) {
            break;
        }
        const auto taken =
            ::send(fd_, octets.data() + sent, octets.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (taken <= 0) {
            break;
        }
        sent += static_cast<std::size_t>(taken);
    }
    return sent;
}

std::string UnixStream::receive() const {
    pollfd readable{fd_, POLLIN, 0};
    if (poll(&readable, 1, patience_ms) != 1) {
        throw std::runtime_error("no answer in time");
    }
    std::array<char, 65'536> buffer{};
    const auto got = recv(fd_, buffer.data(), buffer.size(), 0);
    return got <= 0 ? std::string{} : std::string(buffer.data(), static_cast<std::size_t>(got));
}

std::string UnixStream::receive_all() const {
    std::string all = pending_;
    for (std::string some = receive(); !some.empty(); some = receive()) {
        all += some;
    }
    return all;
}

std::string UnixStream::receive_until(std::string_view end) {
    while (!pending_.contains(end)) {
        const std::string some = receive();
        if (some.empty()) {
            return std::exchange(pending_, {});
        }
        pending_ += some;
    }
    const auto size = pending_.find(end) + end.size();
    std::string out = pending_.substr(0, size);
    pending_.erase(0, size);
    return out;
}

void UnixStream::end_sending() const {
    (void)shutdown(fd_, SHUT_WR);
}

wire::Json HttpAnswer::json() const {
    auto value = wire::parse_json(body);
    if (!value) {
        throw std::runtime_error(
            fmt::format("{} with a body that is not JSON: {}", status, body.substr(0, 200)));
    }
    return std::move(*value);
}

std::string http_request(std::string_view method, std::string_view target, std::string_view body,
                         std::string_view headers) {
    return fmt::format(
        "{} {} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {}\r\n{}\r\n{}",
        method, target, body.size(), headers, body);
}

HttpAnswer parse_answer(std::string_view octets) {
    HttpAnswer answer;
    const auto end = octets.find("\r\n\r\n");
    const std::string_view start = "HTTP/1.1 ";
    if (end == std::string_view::npos || !octets.starts_with(start) ||
        std::from_chars(octets.data() + start.size(), octets.data() + end, answer.status).ec !=
            std::errc{}) {
        throw std::runtime_error(fmt::format("not an HTTP answer: '{}'", octets.substr(0, 100)));
    }
    answer.head = octets.substr(0, end + 2);
    answer.body = octets.substr(end + 4);
    if (answer.head.contains("ransfer-") && answer.head.contains("chunked")) {
        answer.body = take_chunks(answer.body);
    }
    return answer;
}

HttpAnswer http(const std::filesystem::path& socket, std::string_view method,
                std::string_view target, std::string_view body, std::string_view headers) {
    const UnixStream stream(socket);
    // Refused halfway: the answer says why.
    (void)stream.send(http_request(method, target, body, headers));
    return parse_answer(stream.receive_all());
}

}  // namespace smsrack::test
