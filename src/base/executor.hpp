/// Runs a piece of work elsewhere: on the loop thread, on a pool, or, in tests, from a queue that
/// the test runs.
///
/// Threads: post() from any.
#pragma once

#include <functional>

namespace smsrack {

using Job = std::move_only_function<void()>;

class Executor {
public:
    Executor() = default;
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;
    virtual ~Executor() = default;

    /// Runs `job` once, later, on the executor's thread; jobs of one sender keep their order only
    /// where the executor has one thread.
    virtual void post(Job job) = 0;
};

}  // namespace smsrack
