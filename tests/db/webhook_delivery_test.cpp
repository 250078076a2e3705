#include "src/webhook/retry.hpp"
#include "src/webhook/webhooks.hpp"
#include "tests/db/webhook_rig.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;
using ports::DeliveryState;
using ports::WebhookState;
using test::WebhookRig;

namespace {

/// Every event was delivered, in order, each time with the same octets.
void check_all(WebhookRig& rig, const std::set<EventSeq>& wanted) {
    CHECK(rig.receiver.in_order);
    CHECK(rig.receiver.same_octets);
    for (const EventSeq event : wanted) {
        CAPTURE(event.value);
        CHECK(rig.receiver.delivered.contains(event));
    }
    CHECK(std::ranges::all_of(rig.receiver.bodies,
                              [&](const auto& one) { return wanted.contains(one.first); }));
}

config::WebhookSettings with(void (*change)(config::WebhookSettings&)) {
    auto settings = WebhookRig::usual();
    change(settings);
    return settings;
}

}  // namespace

TEST_CASE(
    "webhooks: each event comes once, in the order of its message, and is kept as delivered") {
    WebhookRig rig;
    rig.settle();
    rig.send_message();
    rig.send_message();
    rig.work(10);
    const auto wanted = rig.events_of_messages();
    CHECK(wanted.size() == 6);  // queued, sending, sent
    check_all(rig, wanted);
    CHECK(rig.receiver.calls.size() == 6);
    CHECK(rig.hook().numbers().delivered == 6);
    for (const auto& row : rig.rows()) {
        CHECK(row.state == DeliveryState::delivered);
        CHECK(row.made.size() == 1);
    }
    const std::string& body = rig.receiver.bodies.begin()->second;
    CHECK(body.starts_with(R"({"type":"message.queued","timestamp":"2026-01-01T)"));
    CHECK(body.contains(R"("data":{"type":"message.queued",)"));
    CHECK(body.contains(R"("text":"hello")"));
    CHECK(body.contains(R"("to":"+33612345678")"));
    CHECK_FALSE(body.contains("history"));
}

TEST_CASE("webhooks: a new webhook starts now; one with `since` gets what was before") {
    WebhookRig rig;
    rig.settle();
    rig.send_message();
    rig.reload(with([](auto& s) { s.name = "other"; }));
    rig.work(5);
    CHECK(rig.receiver.calls.empty());
    rig.reload(with([](auto& s) {
        s.name = "third";
        s.since = "2025-01-01T00:00:00Z";
    }));
    rig.work(10);
    check_all(rig, rig.events_of_messages());
}

TEST_CASE("webhooks: killed at any commit, nothing is lost, and the order stays") {
    for (int kill_at = 1; kill_at <= 70; ++kill_at) {
        CAPTURE(kill_at);
        WebhookRig rig;
        rig.settle();
        rig.receiver.answer = [&](const ports::Delivery& one) {
            return (one.what.event.value + one.attempts) % 3 == 0 ? 500 : 200;
        };
        for (int i = 0; i < 3; ++i) {
            rig.send_message();
        }
        rig.steps_left = kill_at;
        bool killed = false;
        for (int round = 0; round < 40; ++round) {
            if (!rig.work() || !rig.pass(5s)) {
                rig.kill();
                killed = true;
                if (kill_at % 2 == 0) {
                    rig.kill_gate();
                }
            }
        }
        CHECK(killed == (rig.steps_left < 0));
        rig.steps_left = -1;
        rig.pass(1min);
        rig.work(20);
        rig.pass(10min);
        rig.work(20);
        check_all(rig, rig.events_of_messages());
        CHECK_FALSE(rig.doubled);
    }
}

TEST_CASE("webhooks: killed again and again, with a receiver that mostly fails, nothing is lost") {
    for (std::uint64_t seed = 1; seed <= 15; ++seed) {
        CAPTURE(seed);
        WebhookRig rig;
        test::SeededRandom chance(seed);
        rig.receiver.answer = [&](const ports::Delivery&) {
            constexpr std::array<int, 6> answers{200, 200, 500, 0, 404, 302};
            return answers.at(chance.below(answers.size()));
        };
        rig.settle();
        for (int round = 0; round < 60; ++round) {
            if (chance.below(3U) == 0 && round < 30) {
                rig.send_message();
            }
            if (chance.below(4U) == 0) {
                rig.steps_left = static_cast<int>(chance.below(6U));
            }
            if (!rig.work() ||
                !rig.pass(std::chrono::milliseconds(chance.below(std::uint64_t{60'000})))) {
                rig.kill();
            }
            if (chance.below(8U) == 0) {
                rig.kill_gate();
            }
        }
        rig.steps_left = -1;
        rig.receiver.answer = [](const ports::Delivery&) { return 200; };
        for (int round = 0; round < 40; ++round) {
            rig.work(8);
            rig.pass(10min);
        }
        check_all(rig, rig.events_of_messages());
    }
}

TEST_CASE("webhooks: pauses after failures grow as said, and end in a dead event") {
    WebhookRig rig(with([](auto& s) { s.events = {"message.queued"}; }));
    rig.settle();
    (void)rig.accepted();
    rig.receiver.answer = [](const ports::Delivery&) { return 500; };
    for (int round = 0; round < 60'000 && rig.hook().numbers().dead == 0; ++round) {
        rig.work();
        rig.pass(round < 2'000 ? 1s : 1min);
    }
    const auto& calls = rig.receiver.calls;
    REQUIRE(calls.size() >= 12);
    for (std::size_t i = 0; i + 2 < calls.size(); ++i) {
        CAPTURE(i);
        const auto pause = calls[i + 1].at - calls[i].at;
        const auto said = webhook::pauses.at(std::min(i, webhook::pauses.size() - 1));
        CHECK(pause >= said * 8 / 10);
        CHECK(pause <= said * 12 / 10 + 1min);
    }
    CHECK(calls.back().at - calls.front().at >= 48h);
    CHECK(calls.back().at - calls.front().at <= 48h + 2min);
    CHECK(rig.rows().front().state == DeliveryState::dead);
    CHECK(rig.hook().dead() == 1);
    const auto conditions = rig.board->conditions();
    CHECK(std::ranges::any_of(conditions, [](const ports::Condition& one) {
        return one.kind == ports::ConditionKind::webhook_dead;
    }));
}

TEST_CASE("webhooks: a dead event frees the next one of its message, and can be sent again") {
    WebhookRig rig(with([](auto& s) { s.retry = std::chrono::hours(1); }));
    rig.settle();
    rig.send_message();
    const auto wanted = rig.events_of_messages();
    const EventSeq first = *wanted.begin();
    rig.receiver.answer = [first](const ports::Delivery& one) {
        return one.what.event == first ? 400 : 200;
    };
    for (int round = 0; round < 100 && rig.hook().numbers().dead == 0; ++round) {
        rig.work();
        CHECK(rig.receiver.delivered.empty());  // they wait for it
        rig.pass(1min);
    }
    REQUIRE(rig.hook().numbers().dead == 1);
    rig.receiver.ended.insert(first);
    rig.work(5);
    CHECK(rig.receiver.delivered.size() == wanted.size() - 1);
    rig.receiver.answer = [](const ports::Delivery&) { return 200; };
    std::optional<Result<std::size_t>> count;
    rig.hook().replay({.dead = true}, [&](Result<std::size_t> n) { count = n; });
    rig.settle();
    REQUIRE(count);
    CHECK(**count == 1);
    rig.work(3);
    check_all(rig, wanted);
    CHECK(rig.hook().dead() == 0);
}

TEST_CASE("webhooks: 410 switches off, loses nothing of what was in flight, and open resumes") {
    WebhookRig rig;
    rig.settle();
    for (int i = 0; i < 6; ++i) {
        rig.send_message();
    }
    int calls = 0;
    rig.receiver.answer = [&](const ports::Delivery&) {
        ++calls;
        return calls == 2 ? 410 : calls == 3 ? 500 : 200;  // of four in flight
    };
    rig.work(2);
    CHECK(rig.hook().life().state == WebhookState::off);
    CHECK(rig.hook().life().reason == "HTTP 410");
    const std::size_t before = rig.receiver.calls.size();
    rig.send_message();
    rig.pass(1h);
    rig.work(5);
    CHECK(rig.receiver.calls.size() == before);
    CHECK(rig.board->conditions().front().kind == ports::ConditionKind::webhook_off);
    rig.kill();  // it stays off
    rig.settle();
    rig.work(3);
    CHECK(rig.receiver.calls.size() == before);
    std::optional<Result<>> opened;
    rig.hook().switch_to(webhook::Happened::switched_on, [&](Result<> done) { opened = done; });
    rig.settle();
    REQUIRE(opened);
    rig.receiver.answer = [](const ports::Delivery&) { return 200; };
    rig.work(20);  // what had failed does not wait for its pause
    check_all(rig, rig.events_of_messages());
}

TEST_CASE("webhooks: after five failures in a row one probe at a time, until the first success") {
    WebhookRig rig;
    rig.settle();
    for (int i = 0; i < 30; ++i) {
        (void)rig.accepted();
    }
    rig.receiver.answer = [](const ports::Delivery&) { return 0; };
    for (int round = 0; round < 10; ++round) {
        rig.work();
    }
    REQUIRE(rig.hook().life().state == WebhookState::failing);
    CHECK(rig.most_held == 4);
    rig.most_held = 0;
    const std::size_t tried = rig.rows().size();
    for (int round = 0; round < 120; ++round) {
        rig.work(2);
        rig.pass(1s);
    }
    CHECK(rig.most_held == 1);
    // Two minutes of one new event in five seconds, at most: the backlog stays a cursor.
    CHECK(rig.receiver.bodies.size() <= 8 + 120 / 4 + 1);
    CHECK(tried <= 64);
    rig.receiver.answer = [](const ports::Delivery&) { return 200; };
    rig.pass(10s);
    rig.work(3);
    CHECK(rig.hook().life().state == WebhookState::open);
    rig.pass(1h);
    for (int round = 0; round < 30; ++round) {
        rig.work(3);
        rig.pass(1h);
    }
    check_all(rig, rig.events_of_messages());
}

TEST_CASE("webhooks: Retry-After holds all requests, an hour at most, and open ends it") {
    WebhookRig rig;
    rig.settle();
    (void)rig.accepted();
    rig.receiver.answer = [](const ports::Delivery&) { return 503; };
    rig.retry_after = 24h;
    rig.work();
    rig.receiver.answer = [](const ports::Delivery&) { return 200; };
    rig.retry_after.reset();
    (void)rig.accepted();
    const std::size_t before = rig.receiver.calls.size();
    for (int round = 0; round < 59; ++round) {
        rig.work();
        rig.pass(1min);
    }
    CHECK(rig.receiver.calls.size() == before);
    for (int round = 0; round < 3; ++round) {
        rig.pass(1min);
        rig.work();
    }
    CHECK(rig.receiver.delivered.size() == 2);
}

TEST_CASE("webhooks: another gate gets what the one before had, and nothing that a gate holds") {
    WebhookRig rig;
    rig.settle();
    for (int i = 0; i < 3; ++i) {
        (void)rig.accepted();
    }
    rig.take();
    rig.settle();
    REQUIRE(rig.holding.size() == 3);
    rig.kill();  // the service; the gate runs on, and sends
    rig.settle();
    rig.take();
    rig.settle();
    CHECK(rig.holding.size() == 3);
    CHECK_FALSE(rig.doubled);
    rig.kill_gate();
    rig.take();
    rig.settle();
    CHECK(rig.holding.size() == 3);
    rig.send();
    rig.report();
    rig.settle();
    CHECK(rig.holding.empty());
    check_all(rig, rig.events_of_messages());
}

TEST_CASE("webhooks: results count once, also where the service was killed before it said so") {
    WebhookRig rig;
    rig.settle();
    (void)rig.accepted();
    rig.take();
    rig.settle();
    rig.receiver.answer = [](const ports::Delivery&) { return 500; };
    rig.send();
    rig.report();
    rig.report();  // before the first was answered
    rig.settle();
    CHECK(rig.hook().life().failures == 1);
    CHECK(rig.rows().front().made.size() == 1);
    rig.pass(10s);
    rig.take();
    rig.settle();
    rig.receiver.answer = [](const ports::Delivery&) { return 200; };
    rig.send();
    const auto held = rig.holding;
    rig.report();
    rig.settle();
    CHECK(rig.holding.empty());
    rig.kill();
    rig.settle();
    rig.holding = held;  // its 204 was lost
    rig.report();
    rig.settle();
    CHECK(rig.holding.empty());
    CHECK(rig.rows().front().made.size() == 2);
    CHECK(rig.rows().front().state == DeliveryState::delivered);
}

TEST_CASE("webhooks: a result that is repeated does not shorten the pause") {
    WebhookRig rig;
    rig.settle();
    (void)rig.accepted();
    rig.receiver.answer = [](const ports::Delivery&) { return 500; };
    rig.take();
    rig.settle();
    rig.send();
    const auto held = rig.holding;
    rig.report();
    rig.settle();
    rig.holding = held;  // its 204 was lost
    rig.report();
    rig.settle();
    CHECK(rig.holding.empty());
    rig.take();
    rig.pass(3900ms);
    CHECK(rig.holding.empty());
    rig.pass(3s);
    CHECK(rig.holding.size() == 1);
}

TEST_CASE("webhooks: the same result twice in one list counts once") {
    WebhookRig rig;
    rig.settle();
    (void)rig.accepted();
    rig.take();
    rig.settle();
    rig.receiver.answer = [](const ports::Delivery&) { return 500; };
    rig.send();
    REQUIRE(rig.holding.size() == 1);
    const webhook::AttemptResult result = *rig.holding.begin()->second.result;
    rig.hook().results({result, result}, [](const Result<>&) {});
    rig.settle();
    CHECK(rig.hook().life().failures == 1);
}

TEST_CASE("webhooks: switched off while results are written, it stays off") {
    WebhookRig rig;
    rig.settle();
    (void)rig.accepted();
    rig.take();
    rig.settle();
    rig.send();
    std::optional<Result<>> off;
    rig.hook().switch_to(webhook::Happened::switched_off, [&](Result<> done) { off = done; });
    rig.report();
    rig.settle();
    REQUIRE(off);
    CHECK(*off);
    CHECK(rig.receiver.delivered.size() == 1);
    CHECK(rig.hook().life().state == WebhookState::off);
    rig.kill();
    rig.settle();
    CHECK(rig.hook().life().state == WebhookState::off);
}

TEST_CASE("webhooks: Retry-After holds over a kill of the service") {
    WebhookRig rig;
    rig.settle();
    (void)rig.accepted();
    rig.receiver.answer = [](const ports::Delivery&) { return 429; };
    rig.retry_after = 30min;
    rig.work();
    rig.retry_after.reset();
    rig.kill();
    rig.settle();
    (void)rig.accepted();
    for (int round = 0; round < 29; ++round) {
        rig.work();
        rig.pass(1min);
    }
    CHECK(rig.receiver.calls.size() == 1);
    rig.pass(2min);
    rig.work();
    CHECK(rig.receiver.calls.size() > 1);
}

TEST_CASE("webhooks: a clock that is set back or ahead changes no pause and no time to live") {
    for (const auto by : {std::chrono::hours(-2), std::chrono::hours(24 * 40)}) {
        CAPTURE(by.count());
        WebhookRig rig;
        const WallTime start = rig.clock.wall();
        rig.pass(1s);
        (void)rig.accepted();
        rig.receiver.answer = [](const ports::Delivery&) { return 500; };
        rig.work();
        REQUIRE(rig.receiver.calls.size() == 1);
        rig.pass(7s);
        rig.take();
        rig.settle();
        REQUIRE(rig.holding.size() == 1);  // the gate has it when the clock is set
        const WallTime wrong = rig.clock.wall();
        rig.store->post(ports::MoveTimes{{.after = start, .until = wrong, .by = by}},
                        [](const Result<std::size_t>&) {});
        rig.clock.set_date(wrong + by);
        rig.send();
        rig.report();
        rig.settle();
        CHECK(rig.rows().front().state == DeliveryState::waiting);
        const WallTime again = rig.clock.wall();
        rig.store->post(ports::MoveTimes{{.after = start, .until = again, .by = -by}},
                        [](const Result<std::size_t>&) {});
        rig.clock.set_date(again - by);
        rig.work();
        rig.pass(45s);
        rig.work();
        CHECK(rig.receiver.calls.size() == 3);
    }
}

TEST_CASE("webhooks: the time when it was off does not count against an event that had failed") {
    WebhookRig rig;
    rig.settle();
    (void)rig.accepted();
    rig.receiver.answer = [](const ports::Delivery&) { return 500; };
    rig.work();
    const auto order = [&](webhook::Happened what) {
        rig.hook().switch_to(what, [](const Result<>& done) { CHECK(done); });
        rig.settle();
    };
    order(webhook::Happened::switched_off);
    rig.pass(72h);
    order(webhook::Happened::switched_on);
    rig.work();
    CHECK(rig.receiver.calls.size() == 2);
    CHECK(rig.rows().front().state == DeliveryState::waiting);
}

TEST_CASE("webhooks: events that were not wanted are not, where `events` has them after a reload") {
    WebhookRig rig(with([](auto& s) { s.events = {"message.failed"}; }));
    rig.settle();
    rig.send_message();
    rig.reload(WebhookRig::usual());
    rig.work(5);
    CHECK(rig.receiver.calls.empty());
}

TEST_CASE("webhooks: a take ends in time also before the store has named the webhook") {
    WebhookRig rig;
    rig.take();
    rig.clock.advance(webhook::TakeDesk::take_max);
    (void)rig.hooks->step(rig.clock.steady());
    CHECK(rig.answered == WebhookState::open);
    CHECK(rig.holding.empty());
}

TEST_CASE("webhooks: only what its events and its client are, also in a replay") {
    WebhookRig rig(with([](auto& s) {
        s.events = {"message.sent"};
        s.client = "billing";
    }));
    rig.settle();
    auto of_client = rig.message();
    of_client.client = "billing";
    rig.send_message();  // of no client
    const MessageId id = rig.accepted(of_client);
    const auto attempt = rig.begin(id);
    REQUIRE(attempt);
    REQUIRE(rig.end(rig.taken(id, *attempt, 0, 1)));
    rig.work(5);
    REQUIRE(rig.receiver.calls.size() == 1);
    const EventSeq event = rig.receiver.calls.front().event;
    CHECK(rig.receiver.bodies.at(event).contains(R"("client":"billing")"));

    const auto replayed = [&](webhook::ReplayWish wish) {
        std::optional<Result<std::size_t>> count;
        rig.hook().replay(wish, [&](Result<std::size_t> n) { count = n; });
        rig.settle();
        REQUIRE(count);
        return *count;
    };
    for (const EventSeq other : rig.events_of_messages()) {
        CAPTURE(other.value);
        const auto count = replayed({.event = other});
        CHECK(count.has_value() == (other == event));
    }
    CHECK(replayed({.event = EventSeq{99'999}}).error().code == Errc::not_found);
    rig.work(3);
    CHECK(rig.receiver.calls.size() == 2);
    CHECK(replayed({.since = WallTime{}}) == 1U);
    rig.work(3);
    CHECK(rig.receiver.calls.size() == 3);
    CHECK(replayed({.since = WallTime{}, .until = WallTime{} + 1h}) == 0U);
    CHECK(replayed({.since = rig.clock.wall() + 1h}) == 0U);
    CHECK(rig.receiver.same_octets);
}

TEST_CASE("webhooks: a thin event has no text and no number") {
    WebhookRig rig(with([](auto& s) { s.text = false; }));
    rig.settle();
    rig.send_message();
    REQUIRE(rig.keep(rig.inbound("a secret")));
    rig.work(6);
    REQUIRE(rig.receiver.bodies.size() == 4);
    for (const auto& [event, body] : rig.receiver.bodies) {
        CAPTURE(body);
        CHECK_FALSE(body.contains("33612345678"));
        CHECK_FALSE(body.contains("hello"));
        CHECK_FALSE(body.contains("secret"));
        CHECK(body.contains(R"("id":")"));
    }
}

TEST_CASE("webhooks: a body above 20 KiB leaves its text out and says so") {
    WebhookRig rig;
    rig.settle();
    (void)rig.accepted(rig.message("+33612345678", std::string(30'000, 'x')));
    (void)rig.accepted(rig.message("+33612345678", std::string(15'000, 'y')));
    rig.work(4);
    REQUIRE(rig.receiver.bodies.size() == 2);
    const std::string& first = rig.receiver.bodies.begin()->second;
    CHECK(first.size() < 20 * 1024);
    CHECK(first.contains(R"("text_omitted":true)"));
    CHECK_FALSE(first.contains(R"("text":)"));
    CHECK(rig.receiver.bodies.rbegin()->second.contains("yyyy"));
}

TEST_CASE("webhooks: memory does not grow with the backlog") {
    WebhookRig rig;
    rig.settle();
    std::optional<Result<>> off;
    rig.hook().switch_to(webhook::Happened::switched_off, [&](Result<> done) { off = done; });
    rig.settle();
    for (int i = 0; i < 600; ++i) {
        (void)rig.accepted();
    }
    rig.settle();
    CHECK(rig.rows().size() <= webhook::Supply::window_rows);
    rig.pass(3s);  // what was counted at the start is old
    std::optional<webhook::Measured> measured;
    rig.hook().measure([&](const Result<webhook::Measured>& m) { measured = *m; });
    rig.settle();
    REQUIRE(measured);
    CHECK(measured->waiting == 600);
    rig.hook().switch_to(webhook::Happened::switched_on, [&](Result<> done) { off = done; });
    rig.settle();
    CHECK(rig.rows().size() <= webhook::Supply::window_rows);
    rig.work(300);
    check_all(rig, rig.events_of_messages());
}

TEST_CASE("webhooks: a test is given to the gate at once, and ends by its deadline without one") {
    WebhookRig rig;
    rig.settle();
    std::vector<webhook::TestReport> reports;
    const auto test = [&] {
        return rig.hook().test([&](webhook::TestReport r) { reports.push_back(std::move(r)); });
    };
    REQUIRE(test());  // no gate
    rig.pass(21s);
    REQUIRE(reports.size() == 1);
    CHECK(reports[0].error.contains("did not ask"));
    CHECK(reports[0].advice.contains("smsrack-gate"));
    rig.take(0);
    rig.settle();
    REQUIRE(test());
    rig.settle();
    REQUIRE(rig.tests.size() == 1);
    CHECK(rig.tests[0].id.starts_with("evt_test_"));
    CHECK(rig.tests[0].body.contains("webhook.test"));
    rig.hook().test_result(rig.tests[0].id, {.address = "192.0.2.1", .status = 204});
    REQUIRE(reports.size() == 2);
    CHECK(reports[1].status == 204);
    rig.take(0);
    REQUIRE(test());
    rig.settle();
    rig.pass(21s);
    REQUIRE(reports.size() == 3);
    CHECK(reports[2].error.contains("took the test"));
    for (std::size_t i = 0; i < webhook::TestDesk::tests_max; ++i) {
        CHECK(test());
    }
    CHECK_FALSE(test());
    CHECK(rig.hook().life().failures == 0);
}

TEST_CASE("webhooks: a take waits for twenty seconds, and for a change of the state") {
    WebhookRig rig;
    rig.settle();
    rig.take();
    rig.pass(19s);
    CHECK_FALSE(rig.answered);
    rig.pass(1s);
    CHECK(rig.answered == WebhookState::open);
    rig.answered.reset();
    rig.take(0);
    (void)rig.accepted();
    rig.pass(5s);
    CHECK_FALSE(rig.answered);  // it has no room
    rig.hook().switch_to(webhook::Happened::switched_off, [](const Result<>&) {});
    rig.settle();
    CHECK(rig.answered == WebhookState::off);
    CHECK(rig.holding.empty());
}

TEST_CASE(
    "webhooks: a service that stops answers takes and tests at once, and gives nothing more") {
    WebhookRig rig;
    rig.settle();
    rig.take();
    rig.settle();
    rig.hooks->drain();
    CHECK(rig.answered == WebhookState::open);
    rig.answered.reset();
    (void)rig.accepted();
    rig.settle();
    rig.take();
    rig.settle();
    CHECK(rig.answered == WebhookState::open);
    CHECK(rig.holding.empty());
}

TEST_CASE("webhooks: events that come while due rows are read are not forgotten") {
    WebhookRig rig;
    rig.settle();
    rig.take();
    (void)rig.accepted();
    rig.settle();
    rig.send();
    rig.report();          // its commit makes the webhook read what is due
    (void)rig.accepted();  // and this event comes meanwhile
    rig.settle();
    rig.work(2);
    check_all(rig, rig.events_of_messages());
}

TEST_CASE("webhooks: a newer take ends the one before") {
    WebhookRig rig;
    rig.settle();
    int superseded = 0;
    const auto take = [&] {
        rig.hook().take({.gate = "g",
                         .room = 1,
                         .done = [&](webhook::TakeAnswer a) { superseded += a.superseded ? 1 : 0; },
                         .gone = [] { return false; }});
    };
    take();
    CHECK(superseded == 0);
    take();
    CHECK(superseded == 1);
}
