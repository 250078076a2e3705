/// The submits of an account that are not answered, in the order in which they were asked.
///
/// An event that comes from the service may be of any of them. Its receipt waits until all that were
/// asked before it came are answered: a receipt never comes before its submit_sm_resp. One submit may
/// be several lines to the service, or orders and lines.
/// Bound:   what the windows of the sessions let in.
/// Threads: loop thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

namespace smsrack::gate {

class OpenSubmits {
public:
    /// From 1, in order.
    using Number = std::uint64_t;

    [[nodiscard]] Number open() {
        is_answered_.push_back(false);
        return opened();
    }
    /// Each once.
    void answered(Number number) {
        is_answered_[static_cast<std::size_t>(number - settled_ - 1)] = true;
        while (!is_answered_.empty() && is_answered_.front()) {
            is_answered_.pop_front();
            ++settled_;
        }
    }

    /// The number of the newest; 0: there was none.
    [[nodiscard]] Number opened() const { return settled_ + is_answered_.size(); }
    /// All up to this one are answered.
    [[nodiscard]] Number settled() const { return settled_; }

private:
    std::deque<bool> is_answered_;  // those behind settled_
    Number settled_ = 0;
};

}  // namespace smsrack::gate
