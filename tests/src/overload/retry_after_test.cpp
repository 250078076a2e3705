// Is Retry-After worth something? In a simulated rack under too much load.
#include "tests/src/overload/queue_world.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

struct Load {
    std::string so;
    double times_capacity;
    double polite;  ///< share of the clients that come back at their time
    bool exponential;
};

struct Outcome {
    int obeyed = 0;  ///< times that a client came back at its time
    int accepted_then = 0;
    std::size_t sent = 0;
    double seconds = 0;
    std::vector<double> took_s;
};

struct Coming {
    SteadyTime at;
    std::uint64_t who;
    bool polite;
    int times;
    bool operator<(const Coming& other) const { return at > other.at; }
};

Outcome run(const Load& load, std::uint64_t seed, bool protect = true) {
    test::QueueWorld world({.exponential = load.exponential, .seed = seed, .protect = protect});
    const double capacity = 8 / 0.5;
    const SteadyTime start = world.clock.steady();
    const SteadyTime end = start + 300s;
    std::priority_queue<Coming> coming;
    std::uint64_t who = 0;
    const auto newcomer = [&](SteadyTime after) {
        const auto gap = world.exponential(1 / (capacity * load.times_capacity));
        coming.push({after + std::chrono::nanoseconds(std::llround(gap * 1e9)), ++who,
                     world.chance() <= load.polite, 0});
    };
    newcomer(start);
    Outcome outcome;
    while (coming.top().at < end) {
        Coming one = coming.top();
        coming.pop();
        world.run_until(one.at);
        if (one.times == 0) {
            newcomer(one.at);
        }
        const auto answer = world.ask(3, one.who);
        if (one.times > 0) {
            ++outcome.obeyed;
            outcome.accepted_then += answer.refusal ? 0 : 1;
        }
        if (answer.refusal && one.polite) {
            // The header has whole seconds.
            coming.push(
                {one.at + std::chrono::ceil<std::chrono::seconds>(*answer.refusal->retry_after),
                 one.who, true, one.times + 1});
        }
    }
    outcome.seconds = std::chrono::duration<double>(end - start).count();
    outcome.took_s = world.took_s[3];
    outcome.sent = outcome.took_s.size();
    return outcome;
}

}  // namespace

TEST_CASE(
    "Retry-After: who comes back when told to is accepted in 95 of 100 cases, whatever the others "
    "do") {
    for (const Load& load : {
             Load{"all are polite, a little too many", 1.2, 1, true},
             Load{"all are polite, four times too many", 4, 1, true},
             Load{"the same with even service times", 4, 1, false},
             Load{"half never come back", 2, 0.5, true},
             Load{"one in ten comes back", 4, 0.1, true},
             Load{"one in twenty, even service times", 3, 0.05, false},
         }) {
        for (const std::uint64_t seed : {1U, 2U, 3U}) {
            CAPTURE(load.so);
            CAPTURE(seed);
            const Outcome outcome = run(load, seed);
            CAPTURE(outcome.obeyed);
            CAPTURE(outcome.accepted_then);
            CHECK(outcome.obeyed > 50);
            CHECK(outcome.accepted_then >= outcome.obeyed * 95 / 100);
            // And the places that are kept free cost next to nothing.
            CAPTURE(outcome.sent);
            CHECK(static_cast<double>(outcome.sent) >= 0.93 * 16 * outcome.seconds);
        }
    }
}

TEST_CASE(
    "overload: the time of accepted messages stays under T_max and does not grow with the load") {
    const auto mean = [](const std::vector<double>& all) {
        return std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
    };
    const auto p99 = [](std::vector<double> all) {
        std::ranges::sort(all);
        return all[all.size() * 99 / 100];
    };
    double at_twice = 0;
    for (const double times : {0.5, 1.0, 2.0, 4.0, 8.0}) {
        CAPTURE(times);
        const auto took = run({"", times, 0.2, true}, 7).took_s;
        CHECK(mean(took) < 4);
        CHECK(p99(took) <= 4);
        at_twice = times == 2.0 ? mean(took) : at_twice;
        if (times > 2) {
            CHECK(mean(took) <= 1.3 * at_twice);
        }
    }
    const auto without = run({"", 2.0, 0.2, true}, 7, false).took_s;
    CHECK(mean(without) > 20);  // it grows for as long as the load lasts
}
