#include "tools/rig/interrupt.hpp"

#include <csignal>
#include <poll.h>
#include <pthread.h>
#include <sys/signalfd.h>

namespace smsrack::rig {
namespace {

/// As `nohup` says; blocked, it would come nevertheless.
bool is_ignored(int signal) {
    struct sigaction now = {};
    return sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

}  // namespace

Interrupt::Interrupt() {
    sigset_t set{};
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    if (!is_ignored(SIGHUP)) {
        sigaddset(&set, SIGHUP);
    }
    (void)pthread_sigmask(SIG_BLOCK, &set, nullptr);
    fd_ = client::UniqueFd(signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC));
}

bool Interrupt::rest(std::chrono::milliseconds how_long) const {
    pollfd signal{fd_.get(), POLLIN, 0};
    return poll(&signal, 1, static_cast<int>(how_long.count())) == 1;
}

}  // namespace smsrack::rig
