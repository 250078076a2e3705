/// A mailbox with many senders and one reader: hands values from thread to thread.
///
/// Bound:   the senders' own bounds (each sender has a bounded number of things on their way), so
/// there is none here;
///          `size` is for the metrics.
/// Threads: push() and leave() by any, take_all() by the reader. The reader's Waiter is woken by the
/// first push() after a take_all().
#pragma once

#include "src/base/waiter.hpp"

#include <mutex>
#include <utility>
#include <vector>

namespace smsrack {

template <typename T>
class Mailbox {
public:
    /// `waiter` is the reader's and outlives the box.
    explicit Mailbox(Waiter& waiter) : waiter_(waiter) {}

    void push(T value) {
        bool was_woken = false;
        {
            const std::lock_guard lock(mutex_);
            was_woken = std::exchange(woken_, true);
            values_.push_back(std::move(value));
        }
        if (!was_woken) {
            waiter_.wake();
        }
    }

    /// Without waking the reader, which need not look at it before it is woken for another reason.
    void leave(T value) {
        const std::lock_guard lock(mutex_);
        values_.push_back(std::move(value));
    }

    /// Swaps what waits into `out` (cleared first), so both sides keep their memory.
    void take_all(std::vector<T>& out) {
        out.clear();
        const std::lock_guard lock(mutex_);
        out.swap(values_);
        woken_ = false;
    }

    [[nodiscard]] bool empty() const {
        const std::lock_guard lock(mutex_);
        return values_.empty();
    }

private:
    Waiter& waiter_;
    mutable std::mutex mutex_;  // guards what follows
    std::vector<T> values_;
    bool woken_ = false;  // the reader, since it took all
};

}  // namespace smsrack
