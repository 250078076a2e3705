/// Whether this box may begin firm messages: until alone_s after the beat that the engine answered last.
///
/// A box that no engine answers ("alone") continues with its firm messages for alone_s. After that
/// certainly nothing begins, which is what other boxes count on when they decide what is left.
/// Time:    counts from before the beat was sent, by the time since the boot, that of a suspend
///          included. After a boot nothing was answered: firm work waits for one answer.
/// Threads: answered() by the thread of the cluster; may_begin() by any.
#pragma once

#include "src/base/clock.hpp"

#include <atomic>
#include <chrono>

namespace smsrack::cluster {

class Permission {
public:
    /// `clock` outlives the object.
    Permission(std::chrono::nanoseconds alone, const Clock& clock) : alone_(alone), clock_(clock) {}

    /// The engine answered a beat that was sent when the time since the boot was `sent`, under an epoch that is
    /// still the newest.
    void answered(std::chrono::nanoseconds sent) {
        if (sent.count() > answered_.load(std::memory_order_relaxed)) {
            answered_.store(sent.count(), std::memory_order_release);
        }
    }

    [[nodiscard]] bool may_begin() const {
        const std::int64_t sent = answered_.load(std::memory_order_acquire);
        return sent != none && clock_.since_boot() - std::chrono::nanoseconds(sent) < alone_;
    }

private:
    static constexpr std::int64_t none = -1;

    const std::chrono::nanoseconds alone_;
    const Clock& clock_;
    std::atomic<std::int64_t> answered_ = none;
};

}  // namespace smsrack::cluster
