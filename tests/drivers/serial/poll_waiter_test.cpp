#include "drivers/serial/poll_waiter.hpp"

#include "firmware-host/process/system_clock.hpp"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <thread>

namespace smsrack::serial {
namespace {

using namespace std::chrono_literals;

}  // namespace

TEST_CASE("PollWaiter: a wake before the wait is not lost, and is there once") {
    const host::SystemClock clock;
    PollWaiter waiter(clock);
    waiter.wake();
    waiter.wake();
    waiter.wait_until(never);  // would hang for ever
    const auto soon = clock.steady() + 1ms;
    waiter.wait_until(soon);
    CHECK(clock.steady() >= soon);
}

// A wake that came between the two halves of the end of a wait once made the waiter deaf for good.
TEST_CASE("PollWaiter: wakes from many threads at any moment leave it able to hear the next") {
    const host::SystemClock clock;
    PollWaiter waiter(clock);
    constexpr int wakes = 20'000;
    std::atomic<int> handed = 0;
    std::atomic<bool> deaf = false;
    {
        std::array<std::jthread, 2> others;
        for (auto& other : others) {
            other = std::jthread([&] {
                for (int i = 0; i < wakes; ++i) {
                    ++handed;
                    waiter.wake();
                    if (i % 16 == 0) {
                        std::this_thread::yield();
                    }
                }
            });
        }
        for (int seen = 0; seen < 2 * wakes && !deaf; seen = handed) {
            const auto limit = clock.steady() + 10s;
            waiter.wait_until(limit);
            deaf = clock.steady() >= limit;
        }
    }
    CHECK_FALSE(deaf);
    waiter.wait_until(clock.steady() + 1ms);  // takes what the last ones left
    waiter.wake();
    const auto limit = clock.steady() + 10s;
    waiter.wait_until(limit);
    CHECK(clock.steady() < limit);
}

}  // namespace smsrack::serial
