#include "firmware-host/net/loop.hpp"

#include <doctest/doctest.h>

#include <array>
#include <csignal>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;

TEST_CASE("Loop: jobs of all threads run once, those of one thread in their order") {
    net::Loop loop;
    constexpr int each = 10'000;
    constexpr int threads = 4;
    std::vector<int> next(threads, 0);
    int ran = 0;
    bool in_order = true;
    std::vector<std::jthread> senders;
    for (std::size_t thread = 0; thread < threads; ++thread) {
        senders.emplace_back([&, thread] {
            for (int i = 0; i < each; ++i) {
                loop.post([&, thread, i] {
                    in_order = in_order && next[thread]++ == i;
                    if (++ran == threads * each) {
                        loop.stop();
                    }
                });
            }
        });
    }
    loop.run();
    CHECK(ran == threads * each);
    CHECK(in_order);
}

TEST_CASE("Loop: timers fire once or again and again, and end with their watch") {
    net::Loop loop;
    int once = 0;
    int often = 0;
    net::LoopWatchPtr gone = loop.after(1ms, [&] { once += 100; });
    gone.reset();
    const auto first = loop.after(5ms, [&] { ++once; });
    net::LoopWatchPtr again;
    net::LoopWatchPtr end;
    again = loop.every(2ms, [&] {
        if (++often == 5) {
            again.reset();  // a watch may end itself
            end = loop.after(20ms, [&] { loop.stop(); });
        }
    });
    const auto never_ends = loop.after(30s, [&] { loop.stop(); });
    loop.run();
    CHECK(once == 1);
    CHECK(often == 5);
}

TEST_CASE("Loop: signals arrive as callbacks") {
    net::Loop loop;
    int got = 0;
    const auto watch = loop.on_signal(SIGHUP, [&] {
        ++got;
        loop.stop();
    });
    std::raise(SIGHUP);
    loop.run();
    CHECK(got == 1);
}

TEST_CASE("Loop: a readable descriptor is reported, until its watch goes") {
    net::Loop loop;
    std::array<int, 2> pipe{};
    REQUIRE(::pipe(pipe.data()) == 0);
    int told = 0;
    net::LoopWatchPtr watch = loop.on_readable(pipe[0], [&] {
        if (++told == 3) {  // no one reads, so it is reported again
            watch.reset();
            loop.stop();
        }
    });
    REQUIRE(::write(pipe[1], "x", 1) == 1);
    loop.run();
    CHECK(told == 3);
    watch.reset();
    ::close(pipe[0]);
    ::close(pipe[1]);
}

TEST_CASE("Loop: a job posted from a job runs too") {
    net::Loop loop;
    int ran = 0;
    loop.post([&] {
        loop.post([&] {
            ++ran;
            loop.stop();
        });
    });
    loop.run();
    CHECK(ran == 1);
}

TEST_CASE("Loop: what runs before the wait runs after the jobs of a turn, once") {
    net::Loop loop;
    std::vector<int> order;
    const auto watch = loop.before_wait([&] {
        if (!order.empty()) {
            order.push_back(0);
            loop.stop();
        }
    });
    loop.post([&] { order.push_back(1); });
    loop.post([&] { order.push_back(2); });
    loop.run();
    REQUIRE(order.size() >= 3);
    CHECK(std::vector(order.begin(), order.begin() + 3) == std::vector{1, 2, 0});
}

TEST_CASE("Loop: of those that run before the wait the newest runs first") {
    net::Loop loop;
    std::vector<int> order;
    const auto oldest = loop.before_wait([&] {
        order.push_back(1);
        loop.stop();
    });
    const auto newest = loop.before_wait([&] { order.push_back(2); });
    loop.run();
    REQUIRE(order.size() >= 2);
    CHECK(std::vector(order.begin(), order.begin() + 2) == std::vector{2, 1});
}
