#include "src/base/thread_pool.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <latch>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;

TEST_CASE("ThreadPool: every job runs once, also those posted just before the end") {
    std::atomic<int> ran = 0;
    {
        ThreadPool pool({.name = "test", .threads_max = 3});
        for (int i = 0; i < 1000; ++i) {
            pool.post([&] { ++ran; });
        }
    }
    CHECK(ran == 1000);
}

TEST_CASE("ThreadPool: grows to its maximum while jobs hold their workers, and no further") {
    std::latch all_run(2);
    std::latch go_on(1);
    std::latch done(4);
    ThreadPool pool({.name = "test", .threads_max = 2});
    for (int i = 0; i < 4; ++i) {
        pool.post([&, i] {
            if (i < 2) {
                all_run.count_down();
                go_on.wait();
            }
            done.count_down();
        });
    }
    all_run.wait();
    CHECK(pool.size() == 2);
    go_on.count_down();
    done.wait();
    CHECK(pool.size() == 2);
}

TEST_CASE("ThreadPool: one worker does one job after the other, in order") {
    std::vector<int> order;
    {
        ThreadPool pool({.name = "test", .threads_max = 1});
        for (int i = 0; i < 100; ++i) {
            pool.post([&, i] { order.push_back(i); });
        }
    }
    REQUIRE(order.size() == 100);
    for (int i = 0; i < 100; ++i) {
        CHECK(order[static_cast<std::size_t>(i)] == i);
    }
}
