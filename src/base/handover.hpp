/// Hands values from any thread to an executor in batches: only the first value of a batch posts a
/// job.
///
/// Bound:   the senders' own (requests in flight), as with Mailbox.
/// Threads: push() by any; `take` runs on the executor's thread. Made by std::make_shared: a job on its way keeps it alive.
#pragma once

#include "src/base/executor.hpp"

#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace smsrack {

template <typename T>
class Handover : public std::enable_shared_from_this<Handover<T>> {
public:
    /// `executor` outlives the object. `take` gets the batch and may move from it.
    Handover(Executor& executor, std::move_only_function<void(std::vector<T>&)> take)
        : executor_(executor), take_(std::move(take)) {}

    void push(T value) {
        bool was_empty = false;
        {
            const std::lock_guard lock(mutex_);
            was_empty = values_.empty();
            values_.push_back(std::move(value));
        }
        if (was_empty) {
            executor_.post([self = this->shared_from_this()] { self->run(); });
        }
    }

private:
    void run() {
        taken_.clear();
        {
            const std::lock_guard lock(mutex_);
            taken_.swap(values_);
        }
        take_(taken_);
        taken_.clear();
    }

    Executor& executor_;
    std::move_only_function<void(std::vector<T>&)> take_;
    std::mutex mutex_;  // guards values_
    std::vector<T> values_;
    std::vector<T> taken_;  // executor's thread; kept for its memory
};

}  // namespace smsrack
