#include "src/sms/ageing.hpp"

#include "tests/support/seeded_random.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

const WallTime start{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

/// 10 s at level 0, 20 s at level 1 ... 60 s at level 5.
AgeingRules tens() {
    AgeingRules rules;
    for (std::size_t level = 0; level < level_count; ++level) {
        rules.max_wait.at(level) = 10s * static_cast<int>(level + 1);
    }
    return rules;
}

}  // namespace

TEST_CASE("ageing: who has waited longer than T_waitmax of its level enters the next one") {
    struct Case {
        const char* so;
        Level first;
        std::chrono::milliseconds waited;
        Level level;
        std::chrono::milliseconds entered;
        bool promoted = false;
    };
    for (const Case& c : {
             Case{"new", 0, 0ms, 0, 0ms},
             Case{"not longer yet", 0, 10s, 0, 0ms},
             Case{"longer", 0, 10'001ms, 1, 10s},
             Case{"its clock again", 0, 30s, 1, 10s},
             Case{"again", 0, 30'001ms, 2, 30s},
             Case{"from the level it began at", 4, 50'001ms, 5, 50s},
             Case{"just below the top", 0, 210s, 5, 150s},
             Case{"at the top, in the second lane", 0, 210'001ms, 6, 210s, true},
             Case{"and no further", 0, 9'999h, 6, 210s, true},
             Case{"who began at the top stays in its own lane", 6, 9'999h, 6, 0ms},
             Case{"a clock that was set back promotes no message", 0, -1h, 0, 0ms},
         }) {
        CAPTURE(c.so);
        const Standing at = standing(tens(), {.first = c.first, .since = start}, start + c.waited);
        CHECK(at ==
              Standing{.level = c.level, .promoted = c.promoted, .entered = start + c.entered});
    }
}

TEST_CASE("ageing: the top is reached after the sum of T_waitmax, and switched off it never is") {
    for (Level first = 0; first < level_max; ++first) {
        CAPTURE(int{first});
        const auto sum = time_to_top(tens(), first);
        const Turn turn{.first = first, .since = start};
        CHECK(standing(tens(), turn, start + sum).level == level_max - 1);
        CHECK(standing(tens(), turn, start + sum + 1ms).level == level_max);
        AgeingRules off = tens();
        off.on = false;
        CHECK(standing(off, turn, start + 9'999h) == Standing{.level = first, .entered = start});
    }
    CHECK(time_to_top(tens(), level_max) == 0ms);
}

TEST_CASE("ageing: a T_waitmax of nothing is left at once") {
    AgeingRules rules = tens();
    rules.max_wait = {};
    CHECK(standing(rules, {.first = 0, .since = start}, start).level == 0);
    CHECK(standing(rules, {.first = 0, .since = start}, start + 1ms).level == level_max);
}

TEST_CASE("ageing: the order is level, own lane, entry") {
    const std::vector<Standing> order{
        {.level = 6, .entered = start + 5s},
        {.level = 6, .entered = start + 6s},
        {.level = 6, .promoted = true, .entered = start},
        {.level = 6, .promoted = true, .entered = start + 1s},
        {.level = 5, .entered = start},
        {.level = 0, .entered = start - 9h},
    };
    for (std::size_t a = 0; a < order.size(); ++a) {
        for (std::size_t b = 0; b < order.size(); ++b) {
            CAPTURE(a);
            CAPTURE(b);
            CHECK(goes_before(order[a], order[b]) == (a < b));
        }
    }
}

TEST_CASE(
    "ageing: of one first level a message that waits longer is never behind, at whatever time") {
    test::SeededRandom random(3);
    for (int round = 0; round < 20'000; ++round) {
        AgeingRules rules;
        for (auto& wait : rules.max_wait) {
            wait = std::chrono::milliseconds(random.below(50));
        }
        const auto some = [&] { return start + std::chrono::milliseconds(random.below(300)); };
        Turn a{.first = static_cast<Level>(random.below(level_count)), .since = some()};
        Turn b{.first = a.first, .since = some()};
        if (b.since < a.since) {
            std::swap(a, b);
        }
        const WallTime now = some();
        CHECK_FALSE(goes_before(standing(rules, b, now), standing(rules, a, now)));
    }
}
