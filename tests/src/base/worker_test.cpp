#include "src/base/worker.hpp"

#include "tests/support/manual_clock.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <semaphore>
#include <thread>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

/// Steps as the test lets it.
class HeldStepper final : public Stepper {
public:
    SteadyTime step(SteadyTime) override {
        ++steps;
        go_on.acquire();
        return next;
    }
    std::atomic<int> steps = 0;
    std::counting_semaphore<> go_on{0};
    SteadyTime next = never;
};

}  // namespace

TEST_CASE("Worker: a step that lasts is late, one that ended is not, until its deadline passes") {
    test::ManualClock clock;
    HeldStepper stepper;
    SemaphoreWaiter waiter;
    const SteadyTime began = clock.steady();
    stepper.next = SteadyTime::max() - 1h;  // so the real waiter sleeps
    Worker worker("test", stepper, waiter, clock);
    CHECK(worker.late_by(began + 1h) == 0s);  // not started
    worker.start();
    while (stepper.steps == 0) {
        std::this_thread::yield();
    }
    CHECK(worker.late_by(began) == 0s);
    CHECK(worker.late_by(began + 30s) == 30s);
    stepper.go_on.release();
    while (worker.late_by(began + 30s) != 0s) {
        std::this_thread::yield();
    }
    CHECK(worker.late_by(stepper.next + 5s) == 5s);
    stepper.go_on.release();  // where it steps once more before it stops
    worker.stop();
    CHECK(worker.late_by(never - 1s) == 0s);
    CHECK(worker.name() == "test");
}
