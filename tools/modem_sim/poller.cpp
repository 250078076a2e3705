#include "tools/modem_sim/poller.hpp"

#include "src/base/timespec.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <sys/epoll.h>
#include <sys/prctl.h>

namespace smsrack::modem_sim {

Result<Poller> Poller::open() {
    Descriptor epoll(::epoll_create1(EPOLL_CLOEXEC));
    if (!epoll) {
        return fail(Errc::internal, "epoll_create1", errno);
    }
    // 50 us of slack, the default, is half an octet at 115200 baud times ten.
    (void)::prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
    return Poller(std::move(epoll));
}

Result<> Poller::add(int fd, std::uint32_t events, Ready& ready) {
    epoll_event event{.events = events, .data = {.ptr = &ready}};
    if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) != 0) {
        return fail(Errc::internal, "epoll_ctl", errno);
    }
    return {};
}

void Poller::change(int fd, std::uint32_t events, Ready& ready) {
    epoll_event event{.events = events, .data = {.ptr = &ready}};
    (void)::epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, fd, &event);
}

void Poller::remove(int fd) {
    (void)::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, nullptr);
}

void Poller::wait(SteadyTime deadline) {
    std::array<epoll_event, 64> events{};
    timespec timeout{};
    if (deadline != never) {
        const auto left = std::max(deadline - std::chrono::steady_clock::now(),
                                   std::chrono::steady_clock::duration::zero());
        timeout = timespec_of(left);
    }
    const auto room = static_cast<int>(events.size());
    int count = ::epoll_pwait2(epoll_.get(), events.data(), room,
                               deadline == never ? nullptr : &timeout, nullptr);
    if (count < 0 && errno != EINTR) {  // a kernel before 5.11, or a sandbox: milliseconds must do
        constexpr int longest_ms = 1000;
        const auto ms = timeout.tv_sec * 1000 + (timeout.tv_nsec + 999'999) / 1'000'000;
        count =
            ::epoll_wait(epoll_.get(), events.data(), room,
                         deadline == never || ms > longest_ms ? longest_ms : static_cast<int>(ms));
    }
    for (int i = 0; i < count; ++i) {
        const epoll_event& event = events[static_cast<std::size_t>(i)];
        static_cast<Ready*>(event.data.ptr)->on_ready(event.events);
    }
}

}  // namespace smsrack::modem_sim
