#include "firmware-host/process/systemd_notify.hpp"

#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace smsrack::host {

SystemdNotify::SystemdNotify(std::string socket, std::optional<std::chrono::milliseconds> watchdog)
    : socket_(std::move(socket)), watchdog_(watchdog) {}

void SystemdNotify::status(std::string_view words) {
    (void)send("STATUS=" + std::string(words) + "\n");
}

bool SystemdNotify::send(std::string_view state, int with) const {
    sockaddr_un address{};
    if (socket_.empty() || socket_.size() >= sizeof address.sun_path) {
        return false;
    }
    const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return false;
    }
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, socket_.data(), socket_.size());
    if (socket_.front() == '@') {
        address.sun_path[0] = '\0';  // abstract
    }
    iovec part{.iov_base = const_cast<char*>(state.data()), .iov_len = state.size()};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
    msghdr message{};
    message.msg_name = &address;
    message.msg_namelen = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_.size());
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    if (with >= 0) {
        message.msg_control = control.data();
        message.msg_controllen = control.size();
        cmsghdr* const header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof with);
        std::memcpy(CMSG_DATA(header), &with, sizeof with);
    }
    const bool sent = ::sendmsg(fd, &message, MSG_NOSIGNAL) >= 0;
    (void)::close(fd);
    return sent;
}

SystemdNotify systemd_of_environment() {
    const char* socket = std::getenv("NOTIFY_SOCKET");
    const char* period = std::getenv("WATCHDOG_USEC");
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
