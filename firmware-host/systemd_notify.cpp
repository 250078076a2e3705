#include "firmware-host/systemd_notify.hpp"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace smsrack::host {

SystemdNotify::SystemdNotify(std::string socket, std::optional<std::chrono::milliseconds> watchdog)
    : socket_(std::move(socket)), watchdog_(watchdog) {}

void SystemdNotify::status(std::string_view words) {
    send("STATUS=" + std::string(words) + "\n");
}

void SystemdNotify::send(std::string_view state) const {
    sockaddr_un address{};
    if (socket_.empty() || socket_.size() >= sizeof address.sun_path) {
        return;
    }
    const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return;
    }
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, socket_.data(), socket_.size());
    if (socket_.front() == '@') {
        address.sun_path[0] = '\0';  // abstract
    }
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_.size());
    (void)::sendto(fd, state.data(), state.size(), MSG_NOSIGNAL,
                   reinterpret_cast<const sockaddr*>(&address), length);
    (void)::close(fd);
}

SystemdNotify systemd_of_environment() {
    const char* socket =
        std::getenv("NOTIFY_SOCKET");  // NOLINT(concurrency-mt-unsafe): before any thread
    const char* period = std::getenv("WATCHDOG_USEC");  // NOLINT(concurrency-mt-unsafe)
    std::optional<std::chrono::milliseconds> watchdog;
    if (period != nullptr) {
        std::int64_t microseconds = 0;
        const auto end = std::from_chars(period, period + std::strlen(period), microseconds);
        if (end.ec == std::errc{} && microseconds > 0) {
            watchdog = std::chrono::milliseconds(microseconds / 2000);
        }
    }
    return {socket == nullptr ? "" : socket, watchdog};
}

}  // namespace smsrack::host
