#include "tools/client/http_client.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/un.h>
#include <system_error>

namespace smsrack::client {
namespace {

constexpr std::size_t piece_max = std::size_t{64} * 1024;  // octets sent or read in one system call

std::unexpected<Error> refused(std::string_view what, int error) {
    const Errc code = error == EACCES || error == EPERM ? Errc::not_allowed : Errc::no_device;
    return fail(code, fmt::format("{}: {}", what, std::generic_category().message(error)), error);
}

void append_chunk(std::string& out, std::string_view piece) {
    out += fmt::format("{:x}\r\n{}\r\n", piece.size(), piece);
}

bool is_good(const ReplyHead& head) {
    return head.status >= 200 && head.status < 300;
}

std::string head_of(const HttpCall& call, bool chunked) {
    std::string head =
        fmt::format("{} {} HTTP/1.1\r\nHost: localhost\r\n", call.method, call.target);
    for (const auto& [name, value] : call.headers) {
        head += fmt::format("{}: {}\r\n", name, value);
    }
    if (chunked) {
        head += "Transfer-Encoding: chunked\r\n";
    } else if (!call.body.empty() || call.method == "POST") {
        head += fmt::format("Content-Length: {}\r\n", call.body.size());
    }
    return head + "\r\n";
}

}  // namespace

/// One request and its answer.
class HttpClient::Exchange {
public:
    Exchange(int fd, const ClientOptions& options, const HttpCall& call, Source source, Sink sink)
        : fd_(fd), options_(options), source_(std::move(source)), sink_(std::move(sink)) {
        out_ = head_of(call, static_cast<bool>(source_));
        if (!source_) {
            out_ += call.body;
        }
    }

    Result<HttpReply> run() {
        while (!parser_.complete() && !enough_) {
            refill();
            const auto ready = wait();
            if (!ready) {
                return std::unexpected(ready.error());
            }
            if ((*ready & POLLOUT) != 0) {
                write_some();
            }
            if ((*ready & (POLLIN | POLLHUP | POLLERR)) != 0) {
                if (auto read = read_some(); !read) {
                    return std::unexpected(read.error());
                }
            }
        }
        reply_.head = parser_.head();
        return std::move(reply_);
    }

    /// The connection can carry another call: all was sent, and the answer ended where it said.
    [[nodiscard]] bool reusable() const {
        return parser_.complete() && parser_.keeps_alive() && !enough_ && !refused_ &&
               out_.empty() && !source_ && !surplus_;
    }

private:
    void refill() {
        while (source_ && out_.size() < piece_max) {
            const std::optional<std::string> piece = source_();
            if (!piece) {
                return;
            }
            if (piece->empty()) {
                source_ = {};
                out_ += "0\r\n\r\n";
            } else {
                append_chunk(out_, *piece);
            }
        }
    }

    Result<short> wait() {
        const bool writes = !out_.empty() && !refused_;
        std::array<pollfd, 2> fds{
            {{.fd = fd_,
              .events = static_cast<short>(writes ? POLLIN | POLLOUT : POLLIN),
              .revents = 0},
             {.fd = options_.stop_fd, .events = POLLIN, .revents = 0}}};
        const auto limit = options_.idle_timeout.count();
        const int count = ::poll(fds.data(), fds.size(), limit == 0 ? -1 : static_cast<int>(limit));
        if (fds[1].revents != 0 || (count < 0 && errno == EINTR && options_.stop_fd < 0)) {
            return fail(Errc::closed, "interrupted", EINTR);
        }
        if (count == 0) {
            return fail(Errc::timeout, fmt::format("no answer for {} s", limit / 1'000));
        }
        return fds[0].revents;
    }

    void write_some() {
        const ssize_t sent = ::send(fd_, out_.data(), out_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent > 0) {
            out_.erase(0, static_cast<std::size_t>(sent));
        } else if (sent < 0 && errno != EAGAIN && errno != EINTR) {
            // The service closed its end; an answer that says why may be there to read.
            refused_ = true;
            source_ = {};
        }
    }

    Result<> read_some() {
        std::array<char, piece_max> buffer;
        const ssize_t count = ::recv(fd_, buffer.data(), buffer.size(), MSG_DONTWAIT);
        if (count < 0 && (errno == EAGAIN || errno == EINTR)) {
            return {};
        }
        if (count <= 0) {
            return parser_.end_of_stream();
        }
        std::string_view input(buffer.data(), static_cast<std::size_t>(count));
        auto fed = parser_.feed(input, [this](const ReplyHead& head, std::string_view piece) {
            take_body(head, piece);
        });
        if (parser_.head_whole()) {
            tell_head(parser_.head());
        }
        surplus_ = !input.empty();
        if (fed && reply_.body.size() > options_.reply_bytes_max) {
            return fail(Errc::payload_too_large, "the answer is too long");
        }
        return fed;
    }

    void tell_head(const ReplyHead& head) {
        if (!told_head_ && sink_ && is_good(head)) {
            told_head_ = true;
            enough_ = enough_ || !sink_("");
        }
    }

    void take_body(const ReplyHead& head, std::string_view piece) {
        tell_head(head);
        if (sink_ && is_good(head)) {
            enough_ = enough_ || !sink_(piece);
        } else {
            reply_.body += piece;
        }
    }

    const int fd_;
    const ClientOptions& options_;
    Source source_;
    Sink sink_;
    std::string out_;  // encoded, not yet sent; <= piece_max and one piece
    ResponseParser parser_;
    HttpReply reply_;
    bool told_head_ = false;
    bool enough_ = false;   // the sink wants no more
    bool refused_ = false;  // the service takes no more
    bool surplus_ = false;  // octets behind the answer
};

HttpClient::HttpClient(std::string socket_path, ClientOptions options)
    : socket_path_(std::move(socket_path)), options_(options) {}

HttpClient::HttpClient(UniqueFd connected, ClientOptions options)
    : options_(options), socket_(std::move(connected)) {}

Result<HttpReply> HttpClient::call(const HttpCall& call) {
    return stream(call, {}, {});
}

Result<HttpReply> HttpClient::stream(const HttpCall& call, Source source, Sink sink) {
    if (auto ready = make_ready(); !ready) {
        return std::unexpected(ready.error());
    }
    Exchange exchange(socket_.get(), options_, call, std::move(source), std::move(sink));
    auto reply = exchange.run();
    if (!exchange.reusable()) {
        socket_.reset();
    }
    return reply;
}

/// An idle connection that has something to read was closed by the service, or is out of step: a
/// new one then.
Result<> HttpClient::make_ready() {
    if (socket_) {
        pollfd idle{.fd = socket_.get(), .events = POLLIN, .revents = 0};
        if (::poll(&idle, 1, 0) == 0) {
            return {};
        }
        socket_.reset();
    }
    if (socket_path_.empty()) {
        return fail(Errc::closed, "the connection is closed");
    }
    auto fresh = connect_unix(socket_path_);
    if (!fresh) {
        return std::unexpected(fresh.error());
    }
    socket_ = std::move(*fresh);
    return {};
}

Result<UniqueFd> connect_unix(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) {
        return fail(Errc::no_device, fmt::format("{}: a socket's path has at most {} octets", path,
                                                 sizeof address.sun_path - 1));
    }
    std::memcpy(&address.sun_path, path.data(), path.size());
    UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!fd) {
        return refused("socket", errno);
    }
    const auto* generic = reinterpret_cast<const sockaddr*>(&address);
    const int error = ::connect(fd.get(), generic, sizeof address) == 0 ? 0 : errno;
    if (error == 0) {
        return fd;
    }
    return refused(path, error);
}

}  // namespace smsrack::client
