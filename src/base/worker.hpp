/// A named thread whose body is step(now) -> next deadline.
///
/// The thread itself only waits and calls, so a test calls step() with a simulated time instead.
/// Threads: start/stop by the owner. stop() returns when the current step has ended.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/waiter.hpp"

#include <atomic>
#include <string>
#include <thread>

namespace smsrack {

class Stepper {
public:
    Stepper() = default;
    Stepper(const Stepper&) = delete;
    Stepper& operator=(const Stepper&) = delete;
    virtual ~Stepper() = default;

    /// Does what can be done at `now` without waiting; returns when it wants to be called again at
    /// the latest.
    virtual SteadyTime step(SteadyTime now) = 0;
};

class Worker {
public:
    /// All outlive the worker. `name` is cut to the 15 characters that the kernel shows.
    Worker(std::string name, Stepper& stepper, Waiter& waiter, const Clock& clock);
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    ~Worker();

    void start();
    void stop();

    /// How long its step has lasted, or how long after its deadline it still sleeps; 0: it is well,
    /// or not started. By any thread.
    [[nodiscard]] SteadyTime::duration late_by(SteadyTime now) const;
    [[nodiscard]] const std::string& name() const { return name_; }

private:
    void run(const std::stop_token& stop);
    void expect_by(SteadyTime time);

    const std::string name_;
    Stepper& stepper_;
    Waiter& waiter_;
    const Clock& clock_;
    std::atomic<SteadyTime::rep> expected_by_ = never.time_since_epoch().count();  // its next sign
    std::jthread thread_;
};

/// Gives the calling thread a name, for top(1) and gdb.
void name_this_thread(const std::string& name);

}  // namespace smsrack
