#include "drivers/serial/poll_waiter.hpp"

#include "src/base/check.hpp"
#include "src/base/timespec.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace smsrack::serial {

PollWaiter::PollWaiter(const Clock& clock)
    : clock_(clock), wake_fd_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    SMSRACK_CHECK(wake_fd_.get() >= 0);
}

void PollWaiter::wait_until(SteadyTime deadline) {
    timespec left{};
    if (deadline != never) {
        const auto now = clock_.steady();
        if (deadline <= now) {
            readable_ = true;
            return;
        }
        left = timespec_of(deadline - now);
    }
    std::array<pollfd, 2> fds{
        pollfd{.fd = wake_fd_.get(), .events = POLLIN, .revents = 0},
        pollfd{.fd = port_fd_,  // poll() skips a negative one
               .events = static_cast<short>(writable_wanted_ ? POLLIN | POLLOUT : POLLIN),
               .revents = 0},
    };
    // An error (EINTR) is an early return: the owner's step finds nothing to do and waits again.
    const int ready = ::ppoll(fds.data(), fds.size(), deadline == never ? nullptr : &left, nullptr);
    readable_ = ready < 0 || fds[1].revents != 0;
    if (ready > 0 && fds[0].revents != 0) {
        std::uint64_t count = 0;
        [[maybe_unused]] const auto got = ::read(wake_fd_.get(), &count, sizeof count);
        // After the read, which else could take what a wake() in between has written, and leave the
        // flag set. A wake() before this line is seen by the owner, who steps after it; one behind
        // it writes again.
        woken_.exchange(false);
    }
}

void PollWaiter::wake() {
    if (!woken_.exchange(true)) {
        const std::uint64_t one = 1;
        [[maybe_unused]] const auto put = ::write(wake_fd_.get(), &one, sizeof one);
    }
}

void PollWaiter::watch(int fd) {
    port_fd_ = fd;
    writable_wanted_ = false;
    readable_ = true;
}

}  // namespace smsrack::serial
