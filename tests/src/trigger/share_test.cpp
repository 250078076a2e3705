#include "src/trigger/share.hpp"

#include "src/trigger/batch_times.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace smsrack;
using namespace std::chrono_literals;
using trigger::in_share;

TEST_CASE("share: of many numbers as many as it says, whatever the tag, and each number stays") {
    constexpr int numbers = 100'000;
    for (const double share : {0.0, 0.01, 0.3, 0.9, 1.0}) {
        for (const char* tag : {"welcome", "spring"}) {
            int in = 0;
            for (int i = 0; i < numbers; ++i) {
                const std::int64_t number = 33'600'000'000 + i;
                const bool selected = in_share(share, tag, number);
                in += selected ? 1 : 0;
                CHECK(selected <= in_share(std::min(1.0, share + 0.05), tag, number));
            }
            const double deviation = std::sqrt(numbers * share * (1 - share));
            CHECK(std::abs(in - numbers * share) <= 5 * deviation);
        }
    }
}

TEST_CASE("share: another tag selects other numbers, independently") {
    int both = 0;
    constexpr int numbers = 100'000;
    for (int i = 0; i < numbers; ++i) {
        both += in_share(0.5, "a", 33'600'000'000 + i) && in_share(0.5, "b", 33'600'000'000 + i);
    }
    CHECK(std::abs(both - numbers / 4) <= 5 * std::sqrt(numbers * 0.25 * 0.75));
}

TEST_CASE("share: a tag says how large it is; who is in it stays the same") {
    const trigger::TagShares shares({{"beta", 1.0}, {"staff", 0.5}, {"banned", 0}}, 0.05);
    CHECK(shares.size() == 4);
    CHECK(shares.share(shares.place_of("beta")) == 1.0);
    CHECK(shares.share(shares.place_of("staff")) == 0.5);
    CHECK(shares.share(shares.place_of("banned")) == 0);
    for (const char* other : {"", "Beta", "guest"}) {
        CAPTURE(other);
        CHECK(shares.place_of(other) == shares.rest());
        CHECK(shares.share(shares.place_of(other)) == 0.05);
    }
    for (std::int64_t number = 33'600'000'000; number < 33'600'010'000; ++number) {
        const auto has = [&](std::string_view tag) {
            return trigger::in_share(shares.share(shares.place_of(tag)), "welcome", number);
        };
        CHECK((!has("") || has("staff")));
        CHECK(has("beta"));
        CHECK_FALSE(has("banned"));
    }
}

TEST_CASE("share: the selection is the same in every version") {
    std::string selected;
    for (std::int64_t i = 0; i < 32; ++i) {
        selected += in_share(0.25, "welcome", 33'612'345'600 + i) ? '1' : '0';
    }
    CHECK(selected == "00110000100000000100101100000001");
}

TEST_CASE("batches: they begin at the same moments after a restart") {
    const WallTime now{std::chrono::sys_days(std::chrono::year(2026) / 11 / 21) + 10h + 7min + 12s +
                       345ms};
    CHECK_FALSE(trigger::next_batch(now, 0s));
    CHECK(trigger::next_batch(now, 30s) == now - 345ms + 18s);
    CHECK(trigger::next_batch(now + 17s + 655ms, 30s) == now - 345ms + 48s);
    CHECK(trigger::next_batch(now, 3'600s) == now - 345ms - 12s + 53min);
    CHECK(trigger::batch_label("welcome", now) == "welcome:2026-11-21");
}

TEST_CASE("rebuilds: the next time of day, never now") {
    const WallTime day{std::chrono::sys_days(std::chrono::year(2026) / 11 / 21)};
    CHECK(trigger::next_at(day, 210min) == day + 210min);
    CHECK(trigger::next_at(day + 210min, 210min) == day + 24h + 210min);
    CHECK(trigger::next_at(day + 211min, 210min) == day + 24h + 210min);
}
