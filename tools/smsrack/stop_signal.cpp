#include "tools/smsrack/stop_signal.hpp"

#include <array>
#include <poll.h>
#include <sys/signalfd.h>

namespace smsrack::cli {

StopSignal::StopSignal() {
    sigset_t wanted;
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGINT);
    sigaddset(&wanted, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &wanted, &before_);
    fd_ = client::UniqueFd(::signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK));
}

StopSignal::~StopSignal() {
    signalfd_siginfo told{};
    // What was answered must not end the program now.
    while (::read(fd_.get(), &told, sizeof told) > 0) {
    }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

bool StopSignal::wait_for(std::chrono::milliseconds time) const {
    pollfd stop{.fd = fd_.get(), .events = POLLIN, .revents = 0};
    return ::poll(&stop, 1, static_cast<int>(time.count())) > 0;
}

bool StopSignal::wait_readable(int readable) const {
    std::array<pollfd, 2> fds{{{.fd = fd_.get(), .events = POLLIN, .revents = 0},
                               {.fd = readable, .events = POLLIN, .revents = 0}}};
    while (::poll(fds.data(), fds.size(), -1) < 0) {  // EINTR alone
    }
    return fds[0].revents == 0;
}

}  // namespace smsrack::cli
