#include "tests/db/store_fixture.hpp"

using namespace smsrack;
using test::StoreFixture;

namespace {

using States = std::vector<MessageState>;
using enum MessageState;

ports::AttemptEnd refused(const StoreFixture& f, MessageId id, AttemptId attempt,
                          std::uint8_t segment = 0) {
    return {.attempt = attempt,
            .message = id,
            .segment = segment,
            .outcome = {.kind = OutcomeKind::refused, .cause = {.kind = CodeKind::cms, .code = 42}},
            .event = MessageEvent::not_sent,
            .at = f.clock.wall(),
            .due_at = f.clock.wall() + std::chrono::seconds(5),
            .counts_as_failure = true,
            .detail = "congestion"};
}

Result<MessageState> finish(StoreFixture& f, MessageId id, MessageEvent event,
                            const char* detail = "") {
    return f.ask<MessageState>(
        [&](auto done) { f.store->finish(id, event, detail, f.clock.wall(), std::move(done)); });
}

Result<> restart(StoreFixture& f, MessageId id) {
    return f.ask<void>([&](auto done) {
        f.store->restart(id, "resend", f.clock.wall(), f.clock.wall(), std::move(done));
    });
}

std::vector<OutMessage> take_due(StoreFixture& f) {
    auto taken = f.ask<std::vector<OutMessage>>(
        [&](auto done) { f.store->take_due(f.clock.wall(), 10, std::move(done)); });
    REQUIRE(taken);
    return *std::move(taken);
}

std::vector<ports::UncertainAttempt> uncertain_attempts(StoreFixture& f) {
    auto found = f.look([](ports::StoreReader& r) { return r.uncertain({}, 10); });
    REQUIRE(found);
    return *std::move(found);
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
    const auto again = f.end(refused(f, id, *attempt));
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
        REQUIRE(finish(f, id, MessageEvent::cancel));
    }
    SUBCASE("expired") {
        why = "expired";
        REQUIRE(finish(f, id, MessageEvent::too_late));
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
    REQUIRE(f.end(refused(f, id, *first)));
    CHECK(f.state(id) == sending);
    CHECK(f.detail(id).message.due_at == f.clock.wall() + std::chrono::seconds(5));
    CHECK(f.detail(id).message.cause.code == 42);
    CHECK(f.look([](ports::StoreReader& r) { return r.next_due(); }).value() ==
          f.clock.wall() + std::chrono::seconds(5));
    CHECK(take_due(f).empty());

    f.clock.advance(std::chrono::seconds(5));
    const auto taken = take_due(f);
    REQUIRE(taken.size() == 1);
    CHECK(taken[0].id == id);
    CHECK(taken[0].attempts == 1);
    CHECK(taken[0].failures == 1);
    CHECK(taken[0].segments == States{sending});
    CHECK(take_due(f).empty());

    const auto second = f.begin(id);
    REQUIRE(second);
    REQUIRE(f.end(f.taken(id, *second, 0, 7)));
    CHECK(f.history(id) == States{queued, sending, sent});
    CHECK(f.detail(id).attempts.size() == 2);
    CHECK(f.detail(id).message.cause.kind == CodeKind::none);
}

TEST_CASE("store: a scheduled message is queued when its time has come") {
    StoreFixture f;
    auto message = f.message();
    message.not_before = f.clock.wall() + std::chrono::minutes(1);
    const auto answer = f.accept(message);
    REQUIRE(answer);
    CHECK(answer->state == scheduled);
    CHECK(take_due(f).empty());
    f.clock.advance(std::chrono::minutes(1));
    const auto taken = take_due(f);
    REQUIRE(taken.size() == 1);
    CHECK(f.history(answer->id) == States{scheduled, queued});
    CHECK(f.begin(answer->id));
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
    auto end = refused(f, id, *second, 1);
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
    auto listed = uncertain_attempts(f);
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
        REQUIRE(f.end(refused(f, id, *attempt))->applied);
        CHECK(f.history(id) == States{queued, sending, uncertain, sending});
    }
    SUBCASE("by the policy that gives it up") {
        CHECK(finish(f, id, MessageEvent::give_up, "outcome_unknown") == failed);
        CHECK(f.detail(id).message.detail == "outcome_unknown");
        CHECK(f.detail(id).attempts[0].outcome.kind == OutcomeKind::unknown);
    }
    SUBCASE("by the policy that sends again") {
        REQUIRE(restart(f, id));
        CHECK(f.history(id) == States{queued, sending, uncertain, sending});
        REQUIRE(take_due(f).size() == 1);
        const auto again = f.begin(id);
        REQUIRE(again);
        // The old attempt's answer comes after all: it is not the new one's.
        CHECK_FALSE(f.end(f.taken(id, *attempt, 0, 9))->applied);
        CHECK(f.state(id) == sending);
        REQUIRE(f.end(f.taken(id, *again, 0, 10))->applied);
        CHECK(f.state(id) == sent);
    }
    CHECK(uncertain_attempts(f).empty());
}

TEST_CASE("store: a late answer for one segment lets the others go on") {
    StoreFixture f;
    const MessageId id = f.accepted();
    const auto attempt = f.begin(id, 0, 2);
    REQUIRE(f.end(f.silent(id, *attempt)));
    CHECK(f.state(id) == uncertain);
    CHECK(take_due(f).empty());
    REQUIRE(f.end(f.taken(id, *attempt, 0, 9)));
    CHECK(f.state(id) == sending);
    const auto taken = take_due(f);
    REQUIRE(taken.size() == 1);
    CHECK(taken[0].segments == States{sent, queued});
}

TEST_CASE("store: cancelling is for what is on no line") {
    StoreFixture f;
    const MessageId id = f.accepted();
    CHECK(finish(f, MessageId{9'999}, MessageEvent::cancel).error().code == Errc::not_found);
    SUBCASE("queued") {
        CHECK(finish(f, id, MessageEvent::cancel, "by_request") == cancelled);
    }
    SUBCASE("in a modem's hand") {
        REQUIRE(f.begin(id));
        CHECK(finish(f, id, MessageEvent::cancel).error().code == Errc::conflict);
        CHECK(f.state(id) == sending);
    }
    SUBCASE("between two attempts") {
        const auto attempt = f.begin(id);
        REQUIRE(f.end(refused(f, id, *attempt)));
        CHECK(finish(f, id, MessageEvent::cancel) == cancelled);
        f.clock.advance(std::chrono::hours(1));
        CHECK(take_due(f).empty());
    }
    SUBCASE("between two segments") {
        const auto attempt = f.begin(id, 0, 2);
        REQUIRE(f.end(f.taken(id, *attempt, 0, 1)));
        CHECK(finish(f, id, MessageEvent::cancel).error().code == Errc::conflict);
    }
    SUBCASE("twice") {
        REQUIRE(finish(f, id, MessageEvent::cancel));
        CHECK(finish(f, id, MessageEvent::cancel).error().code == Errc::conflict);
    }
}

TEST_CASE("store: what is overdue expires, but for what a modem holds") {
    StoreFixture f;
    const MessageId waits = f.accepted();
    const MessageId held = f.accepted();
    const auto attempt = f.begin(held);
    const MessageId done = f.sent(1);
    auto later = f.message();
    later.expires_at += std::chrono::hours(1);
    const MessageId young = f.accepted(later);
    f.clock.advance(std::chrono::hours(24));
    const auto expire = [&] {
        return f.ask<std::size_t>(
            [&](auto answer) { f.store->expire_overdue(f.clock.wall(), 10, std::move(answer)); });
    };
    CHECK(expire() == 1);
    CHECK(f.state(waits) == expired);
    CHECK(f.detail(waits).message.detail == "ttl");
    CHECK(f.state(held) == sending);
    CHECK(f.state(done) == sent);
    CHECK(f.state(young) == queued);

    REQUIRE(f.end(refused(f, held, *attempt)));
    CHECK(expire() == 1);
    CHECK(f.state(held) == expired);
    CHECK(expire() == 0);
}

TEST_CASE("store: after a crash what was in a modem's hand is uncertain, and the rest goes on") {
    StoreFixture f;
    const MessageId waits = f.accepted();
    const MessageId held = f.accepted();
    const auto open = f.begin(held);
    const MessageId retried = f.accepted();
    const auto first = f.begin(retried);
    REQUIRE(f.end(refused(f, retried, *first)));
    f.clock.advance(std::chrono::seconds(5));
    REQUIRE(take_due(f).size() == 1);  // in memory of the process that ends here

    f.reopen();
    CHECK(f.state(waits) == queued);
    CHECK(f.state(held) == uncertain);
    CHECK(f.history(held) == States{queued, sending, uncertain});
    CHECK(f.detail(held).message.due_at == f.clock.wall() + std::chrono::seconds(900));
    const auto listed = uncertain_attempts(f);
    REQUIRE(listed.size() == 1);
    CHECK(listed[0].attempt == *open);
    CHECK(listed[0].recovered);
    const auto due = take_due(f);
    REQUIRE(due.size() == 1);
    CHECK(due[0].id == retried);

    f.reopen();
    REQUIRE(uncertain_attempts(f).size() == 1);
    CHECK_FALSE(uncertain_attempts(f)[0].recovered);  // its line was asked by the process before
}
