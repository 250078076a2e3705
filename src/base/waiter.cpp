#include "src/base/waiter.hpp"

#include "src/base/check.hpp"
#include "src/base/timespec.hpp"

#include <ctime>

namespace smsrack {

SemaphoreWaiter::SemaphoreWaiter() {
    SMSRACK_CHECK(::sem_init(&semaphore_, 0, 0) == 0);
}

SemaphoreWaiter::~SemaphoreWaiter() {
    ::sem_destroy(&semaphore_);
}

void SemaphoreWaiter::wait_until(SteadyTime deadline) {
    // steady_clock is CLOCK_MONOTONIC. An error (EINTR) is an early return: the owner's step finds
    // nothing to do and waits again.
    const timespec until = timespec_of(deadline.time_since_epoch());
    const int failed = deadline == never ? ::sem_wait(&semaphore_)
                                         : ::sem_clockwait(&semaphore_, CLOCK_MONOTONIC, &until);
    if (failed == 0) {
        // A wake() before this line is seen by the owner, who steps after it; one behind it posts again.
        woken_.exchange(false);
    }
}

void SemaphoreWaiter::wake() {
    if (!woken_.exchange(true)) {
        ::sem_post(&semaphore_);
    }
}

}  // namespace smsrack
