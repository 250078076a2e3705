#include "src/webhook/judge.hpp"

#include "tests/support/seeded_random.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace smsrack::webhook;
using namespace std::chrono_literals;
using ports::DeliveryState;
using State = ports::WebhookState;

namespace {

constexpr WallTime now{std::chrono::hours(1'000)};

Judgement judged(int status, ports::WebhookLife life,
                 std::optional<std::chrono::seconds> after = {},
                 std::optional<WallTime> first_at = {}) {
    test::SeededRandom random{1};
    return judge({.event = EventSeq{7},
                  .attempt = {.attempt = 3, .status = status, .error = status == 0 ? "no" : ""},
                  .retry_after = after},
                 {.attempts = 2, .tries = 2, .first_at = first_at}, std::move(life), 48h, now,
                 random);
}

}  // namespace

TEST_CASE("judge: what an answer does to the event and to the webhook") {
    struct Case {
        const char* what;
        int status;
        ports::WebhookLife before;
        DeliveryState event;
        State webhook;
        std::uint32_t failures;
    };
    for (const Case& one : {
             Case{"taken", 204, {.failures = 3}, DeliveryState::delivered, State::open, 0},
             Case{"taken by one that failed",
                  200,
                  {.state = State::failing, .failures = 9},
                  DeliveryState::delivered,
                  State::open,
                  0},
             Case{"a failure", 500, {}, DeliveryState::waiting, State::open, 1},
             Case{"a redirect is one", 302, {}, DeliveryState::waiting, State::open, 1},
             Case{"so is no answer", 0, {.failures = 3}, DeliveryState::waiting, State::open, 4},
             Case{"the fifth", 500, {.failures = 4}, DeliveryState::waiting, State::failing, 5},
             Case{"410", 410, {}, DeliveryState::waiting, State::off, 1},
             Case{"a success while off",
                  200,
                  {.state = State::off, .failures = 1},
                  DeliveryState::delivered,
                  State::off,
                  0},
         }) {
        CAPTURE(one.what);
        const Judgement found = judged(one.status, one.before);
        CHECK(found.end.event == EventSeq{7});
        CHECK(found.end.attempt.attempt == 3);
        CHECK(found.end.state == one.event);
        CHECK(found.life.state == one.webhook);
        CHECK(found.life.failures == one.failures);
        CHECK((found.end.next_at > now) == (one.event == DeliveryState::waiting));
        CHECK_FALSE(found.pause);
    }
}

TEST_CASE("judge: the reason is the status, or the error in words") {
    CHECK(judged(503, {.failures = 4}).life.reason == "HTTP 503");
    CHECK(judged(0, {.failures = 4}).life.reason == "no");
}

TEST_CASE("judge: a pause that the receiver asks for is for all; an old event is dead") {
    CHECK(judged(429, {}, 30s).pause == 30s);
    CHECK_FALSE(judged(200, {}, 30s).pause);
    CHECK(judged(500, {}, {}, now - 48h).end.state == DeliveryState::dead);
    CHECK(judged(500, {}, {}, now - 47h).end.next_at <= now + 1h);
}
