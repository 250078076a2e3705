/// Waits for descriptors until a deadline, to the microsecond (epoll_pwait2).
///
/// Threads: one.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/result.hpp"
#include "tools/modem_sim/descriptor.hpp"

#include <cstdint>

namespace smsrack::modem_sim {

/// The receiver of the news that its descriptor is ready.
class Ready {
public:
    Ready() = default;
    Ready(const Ready&) = delete;
    Ready& operator=(const Ready&) = delete;
    virtual ~Ready() = default;

    /// `events` as of epoll. May add and remove descriptors, its own too, but must itself live
    /// until wait() is over.
    virtual void on_ready(std::uint32_t events) = 0;
};

class Poller {
public:
    /// Also asks the kernel for timers without slack, for this thread.
    [[nodiscard]] static Result<Poller> open();

    [[nodiscard]] Result<> add(int fd, std::uint32_t events, Ready& ready);
    void change(int fd, std::uint32_t events, Ready& ready);
    void remove(int fd);

    /// Notifies every ready receiver; returns at `deadline` at the latest.
    void wait(SteadyTime deadline);

private:
    explicit Poller(Descriptor epoll) : epoll_(std::move(epoll)) {}

    Descriptor epoll_;
};

}  // namespace smsrack::modem_sim
