#include "src/base/thread_pool.hpp"

#include "src/base/check.hpp"
#include "src/base/worker.hpp"

#include <algorithm>
#include <utility>

namespace smsrack {

ThreadPool::ThreadPool(ThreadPoolSettings settings) : settings_(std::move(settings)) {
    SMSRACK_CHECK(settings_.threads_max > 0);
}

ThreadPool::~ThreadPool() {
    Workers to_join;
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        for (Worker* worker : idle_) {
            worker->wake.notify_one();
        }
    }
    for (;;) {
        {
            const std::lock_guard lock(mutex_);
            to_join.splice(to_join.end(), ended_);
            to_join.splice(to_join.end(), workers_);
        }
        if (to_join.empty()) {
            return;
        }
        for (auto& worker : to_join) {
            worker->thread.join();
        }
        to_join.clear();
    }
}

void ThreadPool::post(Job job) {
    join_ended();
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
        Worker* worker = idle_.front();
        idle_.pop_front();
        worker->job = std::move(job);
        worker->wake.notify_one();
    } else if (workers_.size() < settings_.threads_max) {
        start_worker(std::move(job));
    } else {
        waiting_.push_back(std::move(job));
    }
}

std::size_t ThreadPool::size() const {
    const std::lock_guard lock(mutex_);
    return workers_.size();
}

void ThreadPool::start_worker(Job job) {
    auto worker = std::make_unique<Worker>();
    worker->job = std::move(job);
    Worker& self = *worker;
    workers_.push_back(std::move(worker));
    self.thread = std::thread([this, &self] { run(self); });
}

void ThreadPool::run(Worker& self) {
    name_this_thread(settings_.name);
    for (Job job = next_job(self); job; job = next_job(self)) {
        job();
    }
}

/// Waits for a job; an empty one ends the worker.
Job ThreadPool::next_job(Worker& self) {
    std::unique_lock lock(mutex_);
    if (!self.job && !waiting_.empty()) {
        Job job = std::move(waiting_.front());
        waiting_.pop_front();
        return job;
    }
    if (!self.job && !stopping_) {
        idle_.push_front(&self);
        (void)self.wake.wait_for(lock, settings_.idle_limit, [&] { return self.job || stopping_; });
        std::erase(idle_, &self);
    }
    if (self.job) {
        return std::exchange(self.job, Job{});
    }
    const auto place =
        std::ranges::find(workers_, &self, [](const auto& worker) { return worker.get(); });
    if (place != workers_.end()) {
        ended_.splice(ended_.end(), workers_, place);
    }
    return {};
}

void ThreadPool::join_ended() {
    Workers to_join;
    {
        const std::lock_guard lock(mutex_);
        to_join.swap(ended_);
    }
    for (auto& worker : to_join) {
        worker->thread.join();
    }
}

}  // namespace smsrack
