/// The pool of codec threads, as long as it is there; what comes later is dropped, since it is in the
/// modem still.
///
/// Threads: post() any; close() when no other thread posts.
#pragma once

#include "src/base/thread_pool.hpp"

#include <cstdint>
#include <memory>
#include <utility>

namespace smsrack::host {

class CodecPool final : public Executor {
public:
    explicit CodecPool(std::int64_t threads)
        : pool_(std::make_unique<ThreadPool>(ThreadPoolSettings{
              .name = "codec", .threads_max = static_cast<std::size_t>(threads)})) {}

    void post(Job job) override {
        if (pool_) {
            pool_->post(std::move(job));
        }
    }
    /// Runs what was posted.
    void close() { pool_.reset(); }

private:
    std::unique_ptr<ThreadPool> pool_;
};

}  // namespace smsrack::host
