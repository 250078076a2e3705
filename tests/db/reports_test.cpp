#include "tests/db/store_fixture.hpp"

using namespace smsrack;
using test::StoreFixture;

namespace {

using States = std::vector<MessageState>;
using enum MessageState;

constexpr std::uint8_t temporary = 0x20;  // TP-ST: the centre still tries
constexpr std::uint8_t refused = 0x46;    // validity period over, permanent

}  // namespace

TEST_CASE("store: a report ends the segment it speaks of") {
    StoreFixture f;
    const MessageId id = f.sent(7);
    f.clock.advance(std::chrono::seconds(3));

    SUBCASE("delivered") {
        const auto kept = f.keep(f.report(7));
        REQUIRE(kept);
        CHECK(kept->matched);
        CHECK(kept->message == id);
        CHECK(f.history(id) == States{queued, sending, sent, delivered});
    }
    SUBCASE("a temporary status is noted, and changes no state") {
        CHECK(f.keep(f.report(7, temporary))->matched);
        CHECK(f.history(id) == States{queued, sending, sent});
        CHECK(f.detail(id).segments[0].tp_status == temporary);
        CHECK(f.keep(f.report(7))->matched);
        CHECK(f.state(id) == delivered);
    }
    SUBCASE("never delivered") {
        f.keep(f.report(7, refused));
        CHECK(is_final(f.state(id)));
        CHECK(f.state(id) != delivered);
        CHECK(f.detail(id).message.cause.kind == CodeKind::tp_status);
        CHECK(f.detail(id).message.cause.code == refused);
    }
    SUBCASE("the same report twice is one") {
        const auto report = f.report(7);
        f.keep(report);
        const auto again = f.keep(report);
        REQUIRE(again);
        CHECK(again->duplicate);
        CHECK(again->message == id);
        CHECK(f.history(id) == States{queued, sending, sent, delivered});
    }
    SUBCASE("another reference is another message's") {
        CHECK_FALSE(f.keep(f.report(8))->matched);
        CHECK(f.state(id) == sent);
    }
    SUBCASE("another SIM too") {
        auto report = f.report(7);
        report.sim = SimId{2};
        CHECK_FALSE(f.keep(report)->matched);
    }
}

TEST_CASE("store: a report that overtakes the modem's answer is applied with it") {
    StoreFixture f;
    const MessageId id = f.accepted();
    const auto attempt = f.begin(id);
    f.clock.advance(std::chrono::seconds(1));
    CHECK_FALSE(f.keep(f.report(7))->matched);
    CHECK(f.state(id) == sending);
    const auto applied = f.end(f.taken(id, *attempt, 0, 7));
    REQUIRE(applied);
    CHECK(applied->message_state == delivered);
    CHECK(f.history(id) == States{queued, sending, sent, delivered});
}

TEST_CASE("store: an old report of the same reference is not an early one") {
    StoreFixture f;
    CHECK_FALSE(f.keep(f.report(7))->matched);
    f.clock.advance(std::chrono::seconds(1));
    CHECK(f.state(f.sent(7)) == sent);
}

TEST_CASE("store: a report resolves an uncertain attempt") {
    StoreFixture f;
    const MessageId id = f.accepted();
    const auto attempt = f.begin(id);
    SUBCASE("that was given up before") {
        REQUIRE(f.end(f.silent(id, *attempt)));
        SUBCASE("delivered") {
            CHECK(f.keep(f.report(7))->message == id);
            CHECK(f.history(id) == States{queued, sending, uncertain, delivered});
        }
        SUBCASE("a temporary status proves that the network took it") {
            CHECK(f.keep(f.report(7, temporary))->message == id);
            CHECK(f.history(id) == States{queued, sending, uncertain, sent});
            CHECK(f.keep(f.report(7))->message == id);
            CHECK(f.state(id) == delivered);
        }
    }
    SUBCASE("that is given up only now") {
        f.clock.advance(std::chrono::seconds(1));
        CHECK_FALSE(f.keep(f.report(7))->matched);
        REQUIRE(f.end(f.silent(id, *attempt)));
        CHECK(f.history(id) == States{queued, sending, uncertain, delivered});
    }
    SUBCASE("that a crash left open") {
        f.clock.advance(std::chrono::seconds(1));
        CHECK_FALSE(f.keep(f.report(7))->matched);
        f.reopen();
        CHECK(f.history(id) == States{queued, sending, uncertain, delivered});
    }
    const auto detail = f.detail(id);
    CHECK(detail.attempts[0].outcome.kind == OutcomeKind::accepted);
    CHECK(detail.attempts[0].outcome.tp_mr == 7);
    CHECK(detail.segments[0].tp_mr == 7);
    CHECK(f.look([](ports::StoreReader& r) { return r.uncertain({}, 10); })->empty());
}

TEST_CASE("store: two uncertain attempts are for choose_report to tell apart") {
    StoreFixture f;
    for (int i = 0; i < 2; ++i) {
        const MessageId id = f.accepted();
        const auto attempt = f.begin(id);
        REQUIRE(f.end(f.silent(id, *attempt)));
    }
    CHECK_FALSE(f.keep(f.report(7))->matched);
    CHECK(f.count(uncertain) == 2);
}

TEST_CASE("store: a message asked without reports is not looked for") {
    StoreFixture f;
    auto message = f.message();
    message.body.report = false;
    const MessageId id = f.sent(7, message);
    CHECK_FALSE(f.keep(f.report(7))->matched);
    CHECK(f.state(id) == sent);
}

TEST_CASE("store: a report for one segment of a message whose others still wait") {
    StoreFixture f;
    const MessageId id = f.accepted();
    const auto attempt = f.begin(id, 0, 2);
    SUBCASE("delivered: the others go on") {
        REQUIRE(f.end(f.taken(id, *attempt, 0, 7)));
        f.keep(f.report(7));
        CHECK(f.state(id) == sending);
        CHECK(f.begin(id, 1, 2));
    }
    SUBCASE("refused: the others are not sent") {
        REQUIRE(f.end(f.taken(id, *attempt, 0, 7)));
        f.keep(f.report(7, refused));
        CHECK(f.detail(id).segments[1].state == cancelled);
        CHECK_FALSE(f.begin(id, 1, 2));
    }
    SUBCASE("it was uncertain: nobody holds the others, so they are due") {
        REQUIRE(f.end(f.silent(id, *attempt)));
        f.keep(f.report(7));
        CHECK(f.state(id) == sending);
        CHECK(f.look([](ports::StoreReader& r) { return r.next_due(); }).value() == f.clock.wall());
    }
}
