#include "src/base/worker.hpp"

#include <pthread.h>
#include <utility>

namespace smsrack {

Worker::Worker(std::string name, Stepper& stepper, Waiter& waiter, const Clock& clock)
    : name_(std::move(name)), stepper_(stepper), waiter_(waiter), clock_(clock) {}

Worker::~Worker() {
    stop();
}

void Worker::start() {
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

void Worker::stop() {
    if (!thread_.joinable()) {
        return;
    }
    thread_.request_stop();
    waiter_.wake();
    thread_.join();
}

void Worker::run(const std::stop_token& stop) {
    name_this_thread(name_);
    while (!stop.stop_requested()) {
        const SteadyTime now = clock_.steady();
        expect_by(now);
        const SteadyTime deadline = stepper_.step(now);
        if (stop.stop_requested()) {
            break;
        }
        expect_by(deadline);
        waiter_.wait_until(deadline);
    }
    expect_by(never);
}

void Worker::expect_by(SteadyTime time) {
    expected_by_.store(time.time_since_epoch().count(), std::memory_order_relaxed);
}

SteadyTime::duration Worker::late_by(SteadyTime now) const {
    const SteadyTime expected(SteadyTime::duration(expected_by_.load(std::memory_order_relaxed)));
    return expected < now ? now - expected : SteadyTime::duration::zero();
}

void name_this_thread(const std::string& name) {
    constexpr std::size_t kernel_limit = 15;
    (void)pthread_setname_np(pthread_self(), name.substr(0, kernel_limit).c_str());
}

}  // namespace smsrack
