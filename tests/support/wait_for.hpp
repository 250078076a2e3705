/// Waits for a condition in another process, which can't wake us: looks again every few
/// milliseconds until the deadline. The only place of the tests that sleeps.
#pragma once

#include <chrono>
#include <thread>

namespace smsrack::test {

/// True as soon as `condition()` is; false when `within` is over.
template <typename Condition>
[[nodiscard]] bool wait_for(std::chrono::milliseconds within, Condition condition) {
    constexpr std::chrono::milliseconds pause{5};
    const auto deadline = std::chrono::steady_clock::now() + within;
    while (!condition()) {
        if (std::chrono::steady_clock::now() >= deadline) {
            return false;
        }
        std::this_thread::sleep_for(pause);
    }
    return true;
}

}  // namespace smsrack::test
