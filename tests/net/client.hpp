/// A blocking client on a Unix socket or on TCP, for tests of the server.
///
/// Threads: one thread at a time; every wait ends after 20 s, far above what a busy machine takes.
#pragma once

#include <arpa/inet.h>
#include <cstdint>
#include <cstring>
#include <netinet/in.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace smsrack::test {

class Client {
public:
    explicit Client(const std::string& path) : fd_(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
        connect_to(address);
    }
    /// On TCP, to 127.0.0.1 from that address of loopback.
    Client(int port, const char* from) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        inet_pton(AF_INET, from, &address.sin_addr);
        bind(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        address.sin_port = htons(static_cast<std::uint16_t>(port));
        connect_to(address);
    }
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;
    ~Client() { hang_up(); }

    [[nodiscard]] bool connected() const { return connected_; }

    /// False where the other side took no more.
    bool send(std::string_view text) {
        while (!text.empty()) {
            const ssize_t sent = ::send(fd_, text.data(), text.size(), MSG_NOSIGNAL);
            if (sent <= 0) {
                return false;
            }
            text.remove_prefix(static_cast<std::size_t>(sent));
        }
        return true;
    }
    /// As much as the other side takes at once.
    void send_some(std::string_view text) {
        while (!text.empty()) {
            const ssize_t sent = ::send(fd_, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
            if (sent <= 0) {
                return;
            }
            text.remove_prefix(static_cast<std::size_t>(sent));
        }
    }
    /// What has come once `wanted` is in it; what came until the end (or the longest wait) otherwise.
    std::string read_until(std::string_view wanted) {
        while (!come_.contains(wanted) && read_some()) {
        }
        const std::size_t at = come_.find(wanted);
        return take(at == std::string::npos ? come_.size() : at + wanted.size());
    }
    std::string read_all() {
        while (read_some()) {
        }
        return take(come_.size());
    }
    /// Nothing more is sent; answers are still read.
    void end_sending() const { shutdown(fd_, SHUT_WR); }
    void hang_up() {
        if (fd_ >= 0) {
            close(std::exchange(fd_, -1));
        }
    }

private:
    template <typename Address>
    void connect_to(const Address& address) {
        const timeval longest{.tv_sec = 20, .tv_usec = 0};
        setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &longest, sizeof longest);
        setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &longest, sizeof longest);
        connected_ = connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    }

    bool read_some() {
        char buffer[65536];
        const ssize_t got = recv(fd_, buffer, sizeof buffer, 0);
        if (got <= 0) {
            return false;
        }
        come_.append(buffer, static_cast<std::size_t>(got));
        return true;
    }
    std::string take(std::size_t count) {
        std::string front = come_.substr(0, count);
        come_.erase(0, count);
        return front;
    }

    int fd_;
    bool connected_ = false;
    std::string come_;
};

}  // namespace smsrack::test
