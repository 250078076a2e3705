#include "src/webhook/retry.hpp"

#include "tests/support/seeded_random.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <optional>

using namespace smsrack;
using namespace smsrack::webhook;
using namespace std::chrono_literals;

TEST_CASE("answer_of: 2xx is delivered, 410 ends the webhook, all else is a failure") {
    for (int status = 0; status <= 599; ++status) {
        CAPTURE(status);
        const Answer wanted = status >= 200 && status <= 299 ? Answer::delivered
                              : status == 410                ? Answer::gone
                                                             : Answer::failed;
        CHECK(answer_of(status) == wanted);
    }
}

TEST_CASE("asked_pause: 429 and 503 may ask for a pause of an hour at most") {
    CHECK(asked_pause(429, 30s) == 30s);
    CHECK(asked_pause(503, 30s) == 30s);
    CHECK(asked_pause(503, 2h) == 1h);
    CHECK_FALSE(asked_pause(503, std::nullopt));
    CHECK_FALSE(asked_pause(503, 0s));
    CHECK_FALSE(asked_pause(500, 30s));
    CHECK_FALSE(asked_pause(200, 30s));
}

TEST_CASE("jittered: within a fifth, and not always the same") {
    test::SeededRandom random{1};
    std::chrono::milliseconds least = 1h;
    std::chrono::milliseconds most{0};
    for (int i = 0; i < 1'000; ++i) {
        const auto pause = jittered(30s, random);
        least = std::min(least, pause);
        most = std::max(most, pause);
    }
    CHECK(least >= 24s);
    CHECK(least < 25s);
    CHECK(most <= 36s);
    CHECK(most > 35s);
}

TEST_CASE(
    "judge_failure: the pauses of the table, the last attempt at the end of the time, then dead") {
    test::SeededRandom random{1};
    const WallTime first = WallTime{} + 24h * 20'000;
    for (std::uint32_t tries = 0; tries < 20; ++tries) {
        CAPTURE(tries);
        const auto verdict = judge_failure(tries, first, 24h * 365, first + 1min, random);
        const auto said = pauses.at(std::min<std::size_t>(tries, pauses.size() - 1));
        CHECK(verdict.state == ports::DeliveryState::waiting);
        CHECK(verdict.next_at >= first + 1min + said * 8 / 10);
        CHECK(verdict.next_at <= first + 1min + said * 12 / 10);
    }
    const auto last = judge_failure(10, first, 48h, first + 47h, random);
    CHECK(last.next_at == first + 48h);
    CHECK(last.state == ports::DeliveryState::waiting);
    CHECK(judge_failure(11, first, 48h, first + 48h, random).state == ports::DeliveryState::dead);
}
