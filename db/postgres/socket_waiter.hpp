/// Sleeps until a deadline, a wake-up by another thread, or octets on one socket.
///
/// Threads: wait_until() and watch() by the owner; wake() by any.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/waiter.hpp"

namespace smsrack::postgres {

class SocketWaiter final : public Waiter {
public:
    /// `clock` outlives the object.
    explicit SocketWaiter(const Clock& clock);
    ~SocketWaiter() override;

    /// From now on; -1: none.
    void watch(int socket, bool to_write);

    void wait_until(SteadyTime deadline) override;
    void wake() override;

private:
    const Clock& clock_;
    const int event_;
    int socket_ = -1;
    bool to_write_ = false;
};

}  // namespace smsrack::postgres
