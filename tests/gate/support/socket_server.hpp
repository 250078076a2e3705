/// Servers of tests: a thread for each connection, which a function serves. Blocking, and as bad as a
/// test wants them.
///
/// Threads: the test makes and destroys them; the functions run on threads of the server.
#pragma once

#include "src/base/result.hpp"

#include <doctest/doctest.h>

#include <arpa/inet.h>
#include <atomic>
#include <cstring>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace smsrack::test {

/// One connection: octets, over TLS where the server has a certificate.
class Peer {
public:
    Peer(int fd, SSL* ssl) : fd_(fd), ssl_(ssl) {}

    /// "" at the end.
    std::string read() {
        char octets[16'384];
        const auto got = ssl_ != nullptr ? ::SSL_read(ssl_, octets, sizeof octets)
                                         : ::recv(fd_, octets, sizeof octets, 0);
        return got <= 0 ? std::string() : std::string(octets, static_cast<std::size_t>(got));
    }
    bool write(std::string_view text) {
        while (!text.empty()) {
            const auto put = ssl_ != nullptr
                                 ? ::SSL_write(ssl_, text.data(), static_cast<int>(text.size()))
                                 : ::send(fd_, text.data(), text.size(), MSG_NOSIGNAL);
            if (put <= 0) {
                return false;
            }
            text.remove_prefix(static_cast<std::size_t>(put));
        }
        return true;
    }
    /// A whole request with its body; "" at the end.
    std::string request() {
        for (;;) {
            const std::size_t end = held_.find("\r\n\r\n");
            if (end != std::string::npos) {
                const std::size_t at = held_.find("Content-Length: ");
                const std::size_t body = at < end ? std::stoul(held_.substr(at + 16)) : 0;
                if (held_.size() >= end + 4 + body) {
                    std::string whole = held_.substr(0, end + 4 + body);
                    held_.erase(0, whole.size());
                    return whole;
                }
            }
            const std::string more = read();
            if (more.empty()) {
                return {};
            }
            held_ += more;
        }
    }
    /// What came behind the last request, or comes next; "" at the end.
    std::string more() { return held_.empty() ? read() : std::exchange(held_, {}); }
    /// Until the other side ends it, or the server goes.
    void wait_for_end() {
        while (!read().empty()) {
        }
    }
    /// The other side gets a reset.
    void reset() const {
        const linger now{.l_onoff = 1, .l_linger = 0};
        ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    }

private:
    const int fd_;
    SSL* const ssl_;
    std::string held_;
};

class SocketServer {
public:
    using Serve = std::function<void(Peer&)>;

    /// On a free port of 127.0.0.1.
    explicit SocketServer(Serve serve, std::shared_ptr<SSL_CTX> tls = nullptr)
        : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)),
          serve_(std::move(serve)),
          tls_(std::move(tls)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        REQUIRE(::bind(listener_, reinterpret_cast<const sockaddr*>(&address), size) == 0);
        REQUIRE(::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) == 0);
        port_ = ntohs(address.sin_port);
        start();
    }
    /// On a Unix socket.
    SocketServer(const std::string& path, Serve serve)
        : listener_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)), serve_(std::move(serve)) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
        (void)::unlink(path.c_str());
        REQUIRE(::bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address) ==
                0);
        start();
    }
    SocketServer(const SocketServer&) = delete;
    SocketServer& operator=(const SocketServer&) = delete;
    ~SocketServer() {
        stopping_ = true;
        ::shutdown(listener_, SHUT_RDWR);
        accepting_.join();
        ::close(listener_);
        {
            const std::lock_guard lock(mutex_);
            for (const auto& one : connections_) {
                ::shutdown(one->fd, SHUT_RDWR);
            }
        }
        connections_.clear();
    }

    [[nodiscard]] int port() const { return port_; }
    /// Connections so far.
    [[nodiscard]] int accepted() const { return accepted_; }

private:
    struct Connection {
        int fd = -1;
        std::jthread thread = {};
    };

    void start() {
        REQUIRE(::listen(listener_, 128) == 0);
        accepting_ = std::jthread([this] {
            for (;;) {
                const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
                if (fd < 0) {
                    return;
                }
                ++accepted_;
                const std::lock_guard lock(mutex_);
                connections_.push_back(std::make_unique<Connection>(Connection{.fd = fd}));
                connections_.back()->thread = std::jthread([this, fd] { run(fd); });
            }
        });
    }

    void run(int fd) {
        if (!stopping_) {
            const std::unique_ptr<SSL, decltype(&SSL_free)> ssl(
                tls_ ? SSL_new(tls_.get()) : nullptr, SSL_free);
            if (ssl) {
                SSL_set_fd(ssl.get(), fd);
            }
            if (!ssl || SSL_accept(ssl.get()) == 1) {
                Peer peer(fd, ssl.get());
                serve_(peer);
                if (ssl) {
                    (void)SSL_shutdown(ssl.get());
                }
            }
        }
        ::close(fd);
    }

    const int listener_;
    const Serve serve_;
    const std::shared_ptr<SSL_CTX> tls_;
    int port_ = 0;
    std::atomic<int> accepted_{0};
    std::atomic<bool> stopping_{false};
    std::mutex mutex_;  // guards connections_
    std::list<std::unique_ptr<Connection>> connections_;
    std::jthread accepting_;
};

/// An answer of HTTP with this body.
inline std::string http_answer(int status, const std::string& body = "",
                               const std::string& more = "") {
    return "HTTP/1.1 " + std::to_string(status) + " X\r\n" + more +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

/// Answers each request so.
inline SocketServer::Serve answers_with(std::string answer) {
    return [answer = std::move(answer)](Peer& peer) {
        while (!peer.request().empty() && peer.write(answer)) {
        }
    };
}

}  // namespace smsrack::test
