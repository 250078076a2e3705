#include "firmware-host/process/systemd_patience.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

/// The socket of systemd's that a service notifies.
class NotifySocket {
public:
    NotifySocket() : fd_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;  // abstract: the kernel chooses a name
        REQUIRE(::bind(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof(sa_family_t)) == 0);
        socklen_t size = sizeof address;
        REQUIRE(::getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size) == 0);
        name_ = "@" + std::string(&address.sun_path[1], size - offsetof(sockaddr_un, sun_path) - 1);
    }
    ~NotifySocket() { ::close(fd_); }
    NotifySocket(const NotifySocket&) = delete;
    NotifySocket& operator=(const NotifySocket&) = delete;

    [[nodiscard]] const std::string& name() const { return name_; }

    /// The next words; empty: none came within the time.
    [[nodiscard]] std::string told(std::chrono::milliseconds within) const {
        pollfd ready{.fd = fd_, .events = POLLIN, .revents = 0};
        std::array<char, 200> words{};
        const bool came = ::poll(&ready, 1, static_cast<int>(within.count())) == 1;
        const ssize_t size = came ? ::recv(fd_, words.data(), words.size(), 0) : 0;
        return {words.data(), static_cast<std::size_t>(size > 0 ? size : 0)};
    }

private:
    int fd_;
    std::string name_;
};

constexpr auto still_starting = "WATCHDOG=1\nEXTEND_TIMEOUT_USEC=60000000\n";

}  // namespace

TEST_CASE(
    "SystemdPatience: systemd hears again and again that the start continues, until it is done") {
    const NotifySocket socket;
    const host::SystemdNotify systemd(socket.name(), 15s);
    {
        const host::SystemdPatience patience(systemd, 60s, 1ms);
        for (int i = 0; i < 3; ++i) {
            CHECK(socket.told(10s) == still_starting);
        }
    }
    while (!socket.told(0ms).empty()) {
    }
    CHECK(socket.told(20ms).empty());
}

TEST_CASE("SystemdPatience: a start that hangs has no more patience than its limit") {
    const NotifySocket socket;
    const host::SystemdNotify systemd(socket.name(), 15s);
    const host::SystemdPatience patience(systemd, 0s, 1ms);
    CHECK(socket.told(50ms).empty());
}
