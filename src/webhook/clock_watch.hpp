/// Says when the wall clock was set: the store moves its times then, and what was read before has the
/// old ones.
///
/// Threads: one.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/clock_move.hpp"

#include <chrono>
#include <optional>
#include <utility>

namespace smsrack::webhook {

class ClockWatch {
public:
    /// True: it was set since the last call.
    [[nodiscard]] bool was_set(const Clock& clock) {
        const auto began = std::chrono::floor<std::chrono::milliseconds>(
            clock.wall().time_since_epoch() - clock.steady().time_since_epoch());
        const auto last = std::exchange(began_, began);
        return last && std::chrono::abs(began - *last) >= clock_step_least;
    }

private:
    std::optional<std::chrono::milliseconds> began_ = {};  // date of the steady clock's zero
};

}  // namespace smsrack::webhook
