/// Sleeps in one ppoll() on the open port and an eventfd.
///
/// Threads: wake() by any, all else by the owner.
#pragma once

#include "drivers/serial/owned_fd.hpp"
#include "src/base/waiter.hpp"

#include <atomic>

namespace smsrack::serial {

class PollWaiter final : public Waiter {
public:
    /// `clock` outlives this object.
    explicit PollWaiter(const Clock& clock);

    void wait_until(SteadyTime deadline) override;
    void wake() override;

    /// From now on data on `fd` wakes too; -1: none.
    void watch(int fd);

    /// False: nothing was there to read when the last wait ended, or has been since was_emptied().
    [[nodiscard]] bool may_be_readable() const { return readable_; }
    /// A read has taken all that was there. What comes later ends the next wait.
    void was_emptied() { readable_ = false; }

    /// Room for writing wakes too, until said otherwise.
    void watch_writable(bool wanted) { writable_wanted_ = wanted; }

private:
    const Clock& clock_;
    const OwnedFd wake_fd_;
    int port_fd_ = -1;  // of the open pipe, which owns it
    bool writable_wanted_ = false;
    bool readable_ = true;             // or not known
    std::atomic<bool> woken_ = false;  // the eventfd was written since the last wait
};

}  // namespace smsrack::serial
