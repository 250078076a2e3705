/// An elastic pool of threads for short jobs.
///
/// A job takes the idle worker at the head of the list, else a new worker (to a maximum), else it
/// waits in order; a worker idle past a limit ends. So the size follows the load, and nothing
/// polls.
///
/// Bound:   jobs that wait are bounded by their senders (each has a bounded number of jobs under
///          way).
/// Threads: post() from any. The destructor runs what was posted, then joins.
/// Source:  [SMSEngine] thread pool.
#pragma once

#include "src/base/executor.hpp"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace smsrack {

struct ThreadPoolSettings {
    std::string name = "pool";            ///< of the threads, cut by the kernel to 15 characters
    std::size_t threads_max = 2;          ///< at least 1
    std::chrono::seconds idle_limit{10};  ///< a worker idle for longer ends
};

class ThreadPool final : public Executor {
public:
    explicit ThreadPool(ThreadPoolSettings settings);
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;
    ~ThreadPool() override;

    void post(Job job) override;

    [[nodiscard]] std::size_t size() const;  ///< workers now

private:
    struct Worker {
        std::condition_variable wake;
        Job job;  // given by post() to this idle worker
        std::thread thread;
    };
    using Workers = std::list<std::unique_ptr<Worker>>;

    void start_worker(Job job);
    void run(Worker& self);
    Job next_job(Worker& self);
    void join_ended();

    const ThreadPoolSettings settings_;
    mutable std::mutex mutex_;  // guards all below
    std::deque<Job> waiting_;
    std::deque<Worker*> idle_;  // head: idle for the shortest time, so that the others can end
    Workers workers_;
    Workers ended_;  // left their run(); to be joined
    bool stopping_ = false;
};

}  // namespace smsrack
