// The wait for a status report that does not come has one end.
#include "tests/db/store_fixture.hpp"

#include <algorithm>
#include <string>

using namespace smsrack;
using namespace std::chrono_literals;
using test::StoreFixture;

namespace {

constexpr auto window = std::chrono::days(3);

NewMessage of(const StoreFixture& f, const std::string& client) {
    NewMessage message = f.message();
    message.client = client;
    return message;
}

/// As the service does it each minute: until a step has nothing left to do. Nothing is removed.
void tick(StoreFixture& f, std::size_t limit = 100) {
    std::size_t done = limit;
    for (int steps = 0; done == limit; ++steps) {
        REQUIRE(steps < 100);
        done = f.ask(ports::RemoveOld{{}, {}, limit}).value();
    }
}

/// How many events say so.
std::ptrdiff_t told(StoreFixture& f, MessageId id) {
    const auto history = f.detail(id).history;
    return std::ranges::count_if(history, [](const Event& event) {
        return event.state == MessageState::sent && event.detail == no_report_came;
    });
}

}  // namespace

TEST_CASE("missing report: after its time one event says that none came; the state stays") {
    StoreFixture f;
    const MessageId id = f.sent(1, of(f, "a"));
    f.clock.advance(window - 1ms);
    tick(f);
    CHECK(told(f, id) == 0);
    f.clock.advance(1ms);
    tick(f);
    CHECK(told(f, id) == 1);

    const auto detail = f.detail(id);
    CHECK(detail.message.state == MessageState::sent);
    CHECK(detail.message.detail == no_report_came);
    CHECK(detail.history.back().at == f.clock.wall());
    CHECK(detail.history.back().modem == "m0");
    CHECK(f.count(MessageState::sent) == 1);
    const auto client = f.look([](ports::StoreReader& r) { return r.client("a"); });
    const auto events =
        f.look([&](ports::StoreReader& r) { return r.events_of({.client = client->id}, {}, 100); });
    REQUIRE(events);
    CHECK(events->back().seq == detail.history.back().seq);
    CHECK(static_cast<std::int64_t>(events->size()) == client->buffered);
}

TEST_CASE(
    "missing report: it is reported once, whatever is restarted and however small a step is") {
    StoreFixture f;
    const MessageId first = f.sent(1, of(f, "a"));
    f.clock.advance(1h);
    const MessageId second = f.sent(2, of(f, "b"));
    f.clock.advance(window - 1h);
    tick(f, 2);
    CHECK(told(f, first) == 1);
    CHECK(told(f, second) == 0);
    for (int i = 0; i < 4; ++i) {
        f.clock.advance(i % 2 == 0 ? 1h : 100h);
        tick(f, 1);
        f.reopen();
        tick(f, 1);
    }
    CHECK(told(f, first) == 1);
    CHECK(told(f, second) == 1);
}

TEST_CASE("missing report: a step looks at no more events than it was allowed") {
    StoreFixture f;
    const MessageId id = f.sent(1, of(f, "a"));  // sending, sent
    f.clock.advance(window);
    CHECK(f.ask(ports::RemoveOld{{}, {}, 1}).value() == 1);
    CHECK(told(f, id) == 0);
    CHECK(f.ask(ports::RemoveOld{{}, {}, 1}).value() == 1);
    CHECK(told(f, id) == 1);
}

TEST_CASE("missing report: nothing is reported of a message that waits for none") {
    StoreFixture f;
    NewMessage without = of(f, "a");
    without.body.report = false;
    const MessageId unasked = f.sent(1, without);
    const MessageId of_none = f.sent(2);
    const MessageId arrived = f.sent(3, of(f, "a"));
    REQUIRE(f.keep(f.report(3))->matched);
    f.clock.advance(window + 48h);
    tick(f);
    for (const MessageId id : {unasked, of_none, arrived}) {
        CHECK(told(f, id) == 0);
        CHECK(f.detail(id).message.detail.empty());
    }
    CHECK(f.state(arrived) == MessageState::delivered);
}

TEST_CASE("missing report: one that comes later is applied") {
    StoreFixture f;
    const MessageId id = f.sent(1, of(f, "a"));
    f.clock.advance(window);
    tick(f);
    REQUIRE(told(f, id) == 1);
    f.clock.advance(1h);
    CHECK(f.keep(f.report(1))->matched);
    CHECK(f.state(id) == MessageState::delivered);
    CHECK(f.detail(id).message.detail.empty());
    f.clock.advance(window);
    tick(f);
    CHECK(told(f, id) == 1);
}

TEST_CASE("missing report: the event of one that comes later says that the message had ended") {
    StoreFixture f;
    NewMessage long_one = of(f, "a");
    long_one.segments = 2;
    const MessageId id = f.accepted(long_one);
    for (std::uint8_t segment = 0; segment < 2; ++segment) {
        const auto attempt = f.begin(id, segment, 2);
        REQUIRE(attempt);
        REQUIRE(f.end(f.taken(id, *attempt, segment, segment)));
    }
    const MessageId usual = f.sent(7, of(f, "a"));
    REQUIRE(f.keep(f.report(7))->matched);
    f.clock.advance(window);
    tick(f);
    REQUIRE(told(f, id) == 1);
    CHECK_FALSE(f.heard.events.back().again);
    REQUIRE(f.keep(f.report(0))->matched);
    REQUIRE(f.state(id) == MessageState::sent);  // the other segment's is still missing
    SUBCASE("at once") {}
    SUBCASE("after the log was read once more, which says it again") {
        f.reopen();
        tick(f);
        CHECK(told(f, id) == 2);
        CHECK(f.heard.events.back().again);
    }
    REQUIRE(f.keep(f.report(1))->matched);
    REQUIRE(f.state(id) == MessageState::delivered);
    CHECK(f.heard.events.back().again);

    const auto all = f.look([](ports::StoreReader& r) { return r.events({}, 100); });
    REQUIRE(all);
    for (const auto& events : {*all, f.detail(id).history, f.detail(usual).history}) {
        bool had_ended = false;
        for (const Event& event : events) {
            if (event.message == usual) {
                CHECK_FALSE(event.again);
                continue;
            }
            CAPTURE(message_state_name(event.state));
            const bool is_end = is_final(event.state) || event.detail == no_report_came;
            CHECK(event.again == (is_end && had_ended));
            had_ended = had_ended || is_end;
        }
    }
}

TEST_CASE("missing report: while its lifetime lasts, the centre may still report") {
    StoreFixture f;
    NewMessage lasting = of(f, "a");
    lasting.expires_at = f.clock.wall() + std::chrono::days(10);
    const MessageId id = f.sent(1, lasting);
    const MessageId usual = f.sent(2, of(f, "a"));
    for (int hour = 0; hour < 10 * 24; ++hour) {
        f.clock.advance(1h);
        tick(f, 2);
        CHECK(told(f, id) == 0);
    }
    CHECK(told(f, usual) == 1);
    f.clock.advance(2h);
    tick(f, 2);
    CHECK(told(f, id) == 1);
    CHECK(told(f, usual) == 1);
}

TEST_CASE("missing report: one that was scheduled for long is not overlooked") {
    StoreFixture f;
    NewMessage late = of(f, "a");
    late.not_before = f.clock.wall() + std::chrono::days(5);
    late.expires_at = *late.not_before + 24h;
    const MessageId scheduled = f.accepted(late);
    const MessageId prompt = f.sent(1, of(f, "a"));
    f.clock.advance(std::chrono::days(5));
    tick(f);
    CHECK(told(f, prompt) == 1);
    (void)f.take_due();
    const auto attempt = f.begin(scheduled);
    REQUIRE(attempt);
    REQUIRE(f.end(f.taken(scheduled, *attempt, 0, 2)));
    f.clock.advance(window - 1h);
    tick(f);
    CHECK(told(f, scheduled) == 0);
    f.clock.advance(1h);
    tick(f);
    CHECK(told(f, scheduled) == 1);
}
