#include "src/base/waiter.hpp"

namespace smsrack {

void CondvarWaiter::wait_until(SteadyTime deadline) {
    std::unique_lock lock(mutex_);
    if (deadline == never) {
        condition_.wait(lock, [this] { return woken_; });
    } else {
        (void)condition_.wait_until(lock, deadline, [this] { return woken_; });
    }
    woken_ = false;
}

void CondvarWaiter::wake() {
    {
        const std::lock_guard lock(mutex_);
        if (woken_) {
            return;
        }
        woken_ = true;
    }
    condition_.notify_one();
}

}  // namespace smsrack
