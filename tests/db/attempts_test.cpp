#include "tests/db/store_fixture.hpp"

using namespace smsrack;
using test::StoreFixture;

namespace {

using States = std::vector<MessageState>;
using enum MessageState;

Result<> restart(StoreFixture& f, MessageId id) {
    return f.ask(ports::RestartMessage{id, "resend", f.clock.wall(), f.clock.wall()});
}

}  // namespace

TEST_CASE(
    "store: a message is sending while its attempt is open, and sent when the network took it") {
    StoreFixture f;
    const MessageId id = f.accepted();
    const auto attempt = f.begin(id);
    REQUIRE(attempt);
    CHECK(f.state(id) == sending);
    f.clock.advance(std::chrono::seconds(2));
    const auto applied = f.end(f.taken(id, *attempt, 0, 200));
    REQUIRE(applied);
    CHECK(applied->applied);
    CHECK(applied->message_state == sent);

    const auto detail = f.detail(id);
    CHECK(f.history(id) == States{queued, sending, sent});
    REQUIRE(detail.segments.size() == 1);
    CHECK(detail.segments[0].state == sent);
    CHECK(detail.segments[0].tp_mr == 200);
    REQUIRE(detail.attempts.size() == 1);
    CHECK(detail.attempts[0].number == 1);
    CHECK(detail.attempts[0].modem == "m0");
    CHECK(detail.attempts[0].outcome.kind == OutcomeKind::accepted);
    CHECK(detail.attempts[0].ended_at == f.clock.wall());
    CHECK(detail.message.modem == "m0");
    CHECK(detail.message.updated_at == f.clock.wall());
    CHECK(f.count(sent) == 1);
    CHECK(f.count(queued) + f.count(sending) == 0);
}

TEST_CASE("store: an answer that comes twice changes nothing") {
    StoreFixture f;
    const MessageId id = f.accepted();
    const auto attempt = f.begin(id);
    REQUIRE(f.end(f.taken(id, *attempt, 0, 1)));
    const auto again = f.end(f.refused(id, *attempt));
    REQUIRE(again);
    CHECK_FALSE(again->applied);
    CHECK(again->message_state == sent);
    CHECK(f.history(id) == States{queued, sending, sent});
    CHECK(f.end(f.taken(id, AttemptId{9'999}, 0, 1)).error().code == Errc::not_found);
}

TEST_CASE("store: nothing is sent that may not be sent any more") {
    StoreFixture f;
    MessageId id = f.accepted();
    const char* why = "";
    SUBCASE("cancelled") {
        why = "cancelled";
        REQUIRE(f.finish(id, MessageEvent::cancel));
    }
    SUBCASE("expired") {
        why = "expired";
        REQUIRE(f.finish(id, MessageEvent::too_late));
    }
    SUBCASE("sent") {
        why = "sent";
        const auto attempt = f.begin(id);
        REQUIRE(f.end(f.taken(id, *attempt, 0, 1)));
    }
    SUBCASE("already on a line") {
        why = "on a line";
        REQUIRE(f.begin(id));
    }
    SUBCASE("uncertain") {
        why = "uncertain";
        const auto attempt = f.begin(id);
        REQUIRE(f.end(f.silent(id, *attempt)));
    }
    SUBCASE("unknown") {
        why = "unknown";
        id = MessageId{9'999};
    }
    CAPTURE(why);
    const auto refused_attempt = f.begin(id);
    REQUIRE_FALSE(refused_attempt);
    CHECK(refused_attempt.error().code == Errc::conflict);
}

TEST_CASE("store: between two attempts a message stays sending, and is taken when it is due") {
    StoreFixture f;
    const MessageId id = f.accepted();
    const auto first = f.begin(id);
    REQUIRE(f.end(f.refused(id, *first)));
    CHECK(f.state(id) == sending);
    CHECK(f.detail(id).message.due_at == f.clock.wall() + std::chrono::seconds(5));
    CHECK(f.detail(id).message.cause.code == 42);
    CHECK(f.look([](ports::StoreReader& r) { return r.next_due({}); }).value() ==
          f.clock.wall() + std::chrono::seconds(5));
    CHECK(f.take_due().empty());

    f.clock.advance(std::chrono::seconds(5));
    const auto taken = f.take_due();
    REQUIRE(taken.size() == 1);
    CHECK(taken[0].id == id);
    CHECK(taken[0].attempts == 1);
    CHECK(taken[0].failures == 1);
    CHECK(taken[0].segments == States{sending});
    CHECK(f.take_due().empty());

    const auto second = f.begin(id);
    REQUIRE(second);
    REQUIRE(f.end(f.taken(id, *second, 0, 7)));
    CHECK(f.history(id) == States{queued, sending, sent});
    CHECK(f.detail(id).attempts.size() == 2);
    CHECK(f.detail(id).message.cause.kind == CodeKind::none);
}

TEST_CASE("store: the segments of a long message, one after the other") {
    StoreFixture f;
    const MessageId id = f.accepted();
    for (std::uint8_t segment = 0; segment < 3; ++segment) {
        const auto attempt = f.begin(id, segment, 3);
        REQUIRE(attempt);
        CHECK(f.state(id) == sending);
        REQUIRE(f.end(f.taken(id, *attempt, segment, static_cast<std::uint8_t>(10 + segment))));
        CHECK(f.state(id) == (segment == 2 ? sent : sending));
        CHECK(f.detail(id).message.partial == (segment != 2));
    }
    const auto out = f.look([&](ports::StoreReader& r) { return r.out_message(id); });
    CHECK(out->concat_ref == 77);
    CHECK(out->pinned_sim == f.sim);
    CHECK(f.detail(id).message.segments == 3);
}

TEST_CASE("store: a permanent failure of one segment cancels those not taken yet") {
    StoreFixture f;
    const MessageId id = f.accepted();
    const auto first = f.begin(id, 0, 3);
    REQUIRE(f.end(f.taken(id, *first, 0, 1)));
    const auto second = f.begin(id, 1, 3);
    auto end = f.refused(id, *second, 1);
    end.event = MessageEvent::give_up;
    end.ends_message = true;
    end.due_at = {};
    REQUIRE(f.end(end));
    const auto detail = f.detail(id);
    CHECK(detail.segments[0].state == sent);
    CHECK(detail.segments[1].state == failed);
    CHECK(detail.segments[2].state == cancelled);
    CHECK(detail.message.partial);
    CHECK_FALSE(detail.message.due_at.has_value());
    CHECK(f.begin(id, 2, 3).error().code == Errc::conflict);
}

TEST_CASE("store: an uncertain attempt is listed until it is resolved") {
    StoreFixture f;
    const MessageId id = f.accepted();
    const auto attempt = f.begin(id);
    REQUIRE(f.end(f.silent(id, *attempt)));
    CHECK(f.state(id) == uncertain);
    auto listed = f.uncertain_attempts();
    REQUIRE(listed.size() == 1);
    CHECK(listed[0].attempt == *attempt);
    CHECK(listed[0].modem == "m0");
    CHECK_FALSE(listed[0].recovered);
    CHECK(f.look([&](ports::StoreReader& r) { return r.uncertain(f.clock.wall(), 10); })->empty());
    f.clock.advance(std::chrono::seconds(900));
    CHECK(f.look([&](ports::StoreReader& r) { return r.uncertain(f.clock.wall(), 10); })->size() ==
          1);

    SUBCASE("by a late answer") {
        REQUIRE(f.end(f.taken(id, *attempt, 0, 9))->applied);
        CHECK(f.history(id) == States{queued, sending, uncertain, sent});
        CHECK(f.detail(id).attempts[0].outcome.kind == OutcomeKind::accepted);
    }
    SUBCASE("by proof that nothing was sent") {
        REQUIRE(f.end(f.refused(id, *attempt))->applied);
        CHECK(f.history(id) == States{queued, sending, uncertain, sending});
    }
    SUBCASE("by the policy that gives it up") {
        CHECK(f.finish(id, MessageEvent::give_up, "outcome_unknown") == failed);
        CHECK(f.detail(id).message.detail == "outcome_unknown");
        CHECK(f.detail(id).attempts[0].outcome.kind == OutcomeKind::unknown);
    }
    SUBCASE("by the policy that sends again") {
        REQUIRE(restart(f, id));
        CHECK(f.history(id) == States{queued, sending, uncertain, sending});
        REQUIRE(f.take_due().size() == 1);
        const auto again = f.begin(id);
        REQUIRE(again);
        // The old attempt's answer comes after all: it is not the new one's.
        CHECK_FALSE(f.end(f.taken(id, *attempt, 0, 9))->applied);
        CHECK(f.state(id) == sending);
        REQUIRE(f.end(f.taken(id, *again, 0, 10))->applied);
        CHECK(f.state(id) == sent);
    }
    CHECK(f.uncertain_attempts().empty());
}

TEST_CASE("store: a late answer for one segment lets the others continue") {
    StoreFixture f;
    const MessageId id = f.accepted();
    const auto attempt = f.begin(id, 0, 2);
    REQUIRE(f.end(f.silent(id, *attempt)));
    CHECK(f.state(id) == uncertain);
    CHECK(f.take_due().empty());
    REQUIRE(f.end(f.taken(id, *attempt, 0, 9)));
    CHECK(f.state(id) == sending);
    const auto taken = f.take_due();
    REQUIRE(taken.size() == 1);
    CHECK(taken[0].segments == States{sent, queued});
}
