#include "db/postgres/socket_waiter.hpp"

#include "src/base/check.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace smsrack::postgres {

SocketWaiter::SocketWaiter(const Clock& clock)
    : clock_(clock), event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    SMSRACK_CHECK(event_ >= 0);
}

SocketWaiter::~SocketWaiter() {
    (void)::close(event_);
}

void SocketWaiter::watch(int socket, bool to_write) {
    socket_ = socket;
    to_write_ = to_write;
}

void SocketWaiter::wait_until(SteadyTime deadline) {
    constexpr std::chrono::milliseconds longest = std::chrono::hours(1);
    int timeout = -1;
    if (deadline != never) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - clock_.steady());
        timeout = static_cast<int>(std::clamp(left, std::chrono::milliseconds(0), longest).count());
    }
    const short wanted = to_write_ ? POLLIN | POLLOUT : POLLIN;
    // poll() passes over a negative descriptor.
    std::array<pollfd, 2> sources{pollfd{event_, POLLIN, 0}, pollfd{socket_, wanted, 0}};
    (void)::poll(sources.data(), sources.size(), timeout);
    std::uint64_t count = 0;
    (void)!::read(event_, &count, sizeof count);
}

void SocketWaiter::wake() {
    const std::uint64_t one = 1;
    (void)!::write(event_, &one, sizeof one);
}

}  // namespace smsrack::postgres
