/// A loop whose jobs run when the test says so.
///
/// Threads: post() by any, run_all() by the test.
#pragma once

#include "src/base/executor.hpp"

#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

namespace smsrack::test {

class ManualExecutor final : public Executor {
public:
    void post(Job job) override {
        const std::lock_guard lock(mutex_);
        jobs_.push_back(std::move(job));
    }

    /// Runs what waits, and what that posts; gives how many ran.
    std::size_t run_all() {
        std::size_t ran = 0;
        for (std::vector<Job> jobs = take(); !jobs.empty(); jobs = take()) {
            for (Job& job : jobs) {
                job();
                ++ran;
            }
        }
        return ran;
    }

private:
    std::vector<Job> take() {
        const std::lock_guard lock(mutex_);
        return std::exchange(jobs_, {});
    }

    std::mutex mutex_;  // guards jobs_
    std::vector<Job> jobs_;
};

}  // namespace smsrack::test
