#include "tests/db/store_fixture.hpp"

#include <map>

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
    SUBCASE("another SIM in another modem too") {
        auto report = f.report(7);
        report.sim = SimId{2};
        report.modem = "other";
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

TEST_CASE(
    "store: a report that overtakes the answer is applied also where the clock was set back") {
    StoreFixture f;
    const MessageId id = f.accepted();
    const auto attempt = f.begin(id);
    f.clock.set_date(f.clock.wall() - std::chrono::minutes(1));
    CHECK_FALSE(f.keep(f.report(7))->matched);
    auto end = f.taken(id, *attempt, 0, 7);
    f.clock.advance(std::chrono::seconds(1));
    CHECK(f.end(end)->message_state == delivered);
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
    SUBCASE("delivered: the others continue") {
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
    SUBCASE("it was uncertain: no line holds the others, so they are due") {
        REQUIRE(f.end(f.silent(id, *attempt)));
        f.keep(f.report(7));
        CHECK(f.state(id) == sending);
        CHECK(f.look([](ports::StoreReader& r) { return r.next_due({}); }).value() ==
              f.clock.wall());
    }
}

TEST_CASE("store: a report that comes after the end changes nothing") {
    StoreFixture f;
    const MessageId id = f.sent(7);
    f.keep(f.report(7));
    const auto before = f.detail(id);
    f.clock.advance(std::chrono::seconds(60));
    for (const std::uint8_t status : {temporary, refused, std::uint8_t{0x00}}) {
        CAPTURE(static_cast<int>(status));
        auto late = f.report(7, status);
        late.scts = f.clock.wall();
        auto reports_of_it = f.rules;
        reports_of_it.choose_report = [](const StatusReport&, auto) {
            return std::optional(ports::ReportChoice{});
        };
        f.rules = reports_of_it;
        CHECK(f.keep(late)->message == id);
    }
    const auto after = f.detail(id);
    CHECK(after.message.state == delivered);
    CHECK(after.message.updated_at == before.message.updated_at);
    CHECK(after.message.cause.kind == CodeKind::none);
    CHECK(after.segments[0].tp_status == 0x00);
    CHECK(after.segments[0].reported_at == before.segments[0].reported_at);
    CHECK(after.history.size() == before.history.size());
}

TEST_CASE(
    "store: the candidates of a report know its submit's earlier one, and how long they wait") {
    StoreFixture f;
    const MessageId id = f.sent(7);
    const WallTime expires_at = f.detail(id).message.expires_at;
    static std::vector<ports::ReportCandidate> seen;
    seen.clear();
    f.rules.choose_report = [](const StatusReport&, auto candidates) {
        seen.assign(candidates.begin(), candidates.end());
        return std::optional(ports::ReportChoice{});
    };
    auto first = f.report(7, temporary);
    first.scts = f.clock.wall();
    f.keep(first);
    REQUIRE(seen.size() == 1);
    CHECK(seen[0].expires_at == expires_at);
    CHECK_FALSE(seen[0].report_scts);
    f.reopen();
    f.keep(f.report(7));
    REQUIRE(seen.size() == 1);
    CHECK(seen[0].report_scts == first.scts);
    CHECK(seen[0].standing == ports::ReportStanding::waits);
}

TEST_CASE("store: the time of delivery is the service centre's") {
    StoreFixture f;
    const MessageId id = f.sent(7);
    auto report = f.report(7);
    report.discharge = f.clock.wall() - std::chrono::minutes(45);
    f.keep(report);
    CHECK(f.detail(id).segments[0].discharge == report.discharge);
}

TEST_CASE("store: a report about a command is of no message, nor of a later one") {
    StoreFixture f;
    const MessageId before = f.sent(7);
    const MessageId after = f.accepted();
    const auto attempt = f.begin(after);
    auto report = f.report(7);
    report.of_command = true;
    const auto kept = f.keep(report);
    REQUIRE(kept);
    CHECK_FALSE(kept->matched);
    CHECK(f.state(before) == sent);
    REQUIRE(f.end(f.taken(after, *attempt, 0, 7)));
    CHECK(f.state(after) == sent);
    CHECK(f.keep(report)->duplicate);
}

TEST_CASE("store: one segment failed and the rest cancelled is a failed message, partly sent") {
    StoreFixture f;
    const MessageId id = f.accepted();
    REQUIRE(f.end(f.taken(id, *f.begin(id, 0, 3), 0, 7)));
    const auto second = f.begin(id, 1, 3);
    auto end = f.refused(id, *second, 1);
    end.event = MessageEvent::give_up;
    end.due_at.reset();
    end.ends_message = true;
    REQUIRE(f.end(end));
    CHECK(f.state(id) == failed);
    CHECK(f.detail(id).message.partial);
    const auto states = [&] {
        States all;
        for (const auto& segment : f.detail(id).segments) {
            all.push_back(segment.state);
        }
        return all;
    };
    CHECK(states() == States{sent, failed, cancelled});
    f.keep(f.report(7));
    CHECK(states() == States{delivered, failed, cancelled});
    CHECK(f.state(id) == failed);
}

TEST_CASE("store: what was tried before comes with a message that is tried again") {
    StoreFixture f;
    const MessageId id = f.accepted();
    REQUIRE(f.end(f.refused(id, *f.begin(id))));
    f.clock.advance(std::chrono::minutes(1));
    const auto taken = f.take_due();
    REQUIRE(taken.size() == 1);
    REQUIRE(taken[0].past.size() == 1);
    CHECK(taken[0].past[0].outcome == OutcomeKind::refused);
    CHECK(taken[0].past[0].cause.code == 42);
    CHECK(taken[0].past[0].segment == 0);
    REQUIRE(f.end(f.silent(id, *f.begin(id))));
    const auto now = f.look([&](ports::StoreReader& r) { return r.out_message(id); });
    REQUIRE(now);
    REQUIRE(now->past.size() == 2);
    CHECK(now->past[0].outcome == OutcomeKind::unknown);
    CHECK(now->past[1].cause.code == 42);
}

TEST_CASE("store: a report for a message given up in doubt is noted with it, and it stays failed") {
    StoreFixture f;
    const MessageId id = f.accepted();
    const auto attempt = f.begin(id);
    REQUIRE(attempt);
    REQUIRE(f.end(f.silent(id, *attempt)));
    auto give_up = f.silent(id, *attempt);
    give_up.event = MessageEvent::give_up;
    give_up.ends_message = true;
    give_up.due_at.reset();
    give_up.detail = "outcome_unknown";
    REQUIRE(f.end(give_up)->applied);
    CHECK(f.uncertain_attempts().empty());
    f.reopen();
    f.clock.advance(std::chrono::hours(1));
    const auto kept = f.keep(f.report(7));
    REQUIRE(kept);
    CHECK(kept->matched);
    CHECK(kept->message == id);
    const auto detail = f.detail(id);
    CHECK(detail.message.state == MessageState::failed);
    CHECK(f.history(id) == States{queued, sending, uncertain, MessageState::failed});
    CHECK(detail.segments.at(0).tp_status == 0);
    REQUIRE(detail.attempts.at(0).notes.size() == 1);
    CHECK(detail.attempts[0].notes[0].kind == ports::NoteKind::late_report);
    CHECK(detail.attempts[0].notes[0].text.contains("TP-Status 0"));
    CHECK_FALSE(f.keep(f.report(7))->matched);  // another message's: this one has its own
}

namespace {

/// Who asks again and again hears the same as who asks for the first time.
class Asker {
public:
    bool operator()(StoreFixture& f, SimId sim) {
        const auto ask = [&](AttemptId settled) {
            const auto answer = f.look([&](ports::StoreReader& reader) {
                return reader.expects(sim, f.clock.wall(), settled);
            });
            REQUIRE(answer);
            return *answer;
        };
        AttemptId& settled = settled_[sim];
        const ports::Expected again = ask(settled);
        CHECK(again.anything == ask({}).anything);
        CHECK(again.settled.value >= settled.value);
        settled = again.settled;
        return again.anything;
    }

private:
    std::map<SimId, AttemptId> settled_;
};

NewMessage without_report(const StoreFixture& f) {
    NewMessage message = f.message();
    message.body.report = false;
    return message;
}

}  // namespace

TEST_CASE(
    "store: a SIM expects the report of what it has sent, and no longer than the message is "
    "valid") {
    StoreFixture f;
    Asker expects;
    CHECK_FALSE(expects(f, f.sim));
    (void)f.sent(7);
    CHECK(expects(f, f.sim));
    CHECK_FALSE(expects(f, SimId{2}));
    SUBCASE("until it comes") {
        f.keep(f.report(7, temporary));
        CHECK(expects(f, f.sim));
        f.keep(f.report(7));
        CHECK_FALSE(expects(f, f.sim));
    }
    SUBCASE("until the centre has given up") {
        f.clock.advance(std::chrono::hours(24));
        CHECK(expects(f, f.sim));  // its last word may be on the way
        f.clock.advance(std::chrono::minutes(16));
        CHECK_FALSE(expects(f, f.sim));
    }
    SUBCASE("over a restart") {
        f.reopen();
        CHECK(expects(f, f.sim));
    }
    SUBCASE("and a later one without a report hides it not") {
        (void)f.sent(8, without_report(f));
        CHECK(expects(f, f.sim));
    }
}

TEST_CASE("store: a report that was not asked for is not expected, nor one of four days ago") {
    StoreFixture f;
    Asker expects;
    (void)f.sent(7, without_report(f));
    CHECK_FALSE(expects(f, f.sim));
    NewMessage lasting = f.message();
    lasting.expires_at = f.clock.wall() + std::chrono::days(30);
    (void)f.sent(8, lasting);
    f.clock.advance(std::chrono::days(2));
    CHECK(expects(f, f.sim));
    f.clock.advance(std::chrono::days(2));
    CHECK_FALSE(expects(f, f.sim));
}

TEST_CASE("store: a SIM expects the answer to a submit that is open or in doubt") {
    StoreFixture f;
    Asker expects;
    const MessageId id = f.accepted(without_report(f));
    const auto attempt = f.begin(id);
    REQUIRE(attempt);
    CHECK(expects(f, f.sim));
    REQUIRE(f.end(f.silent(id, *attempt)));
    CHECK(expects(f, f.sim));
    REQUIRE(f.finish(id, MessageEvent::give_up));
    CHECK_FALSE(expects(f, f.sim));
}

TEST_CASE("store: a SIM expects the rest of a long message") {
    StoreFixture f;
    Asker expects;
    f.keep(f.inbound("a", ConcatInfo{.ref = 5, .total = 2, .seq = 1}));
    CHECK(expects(f, f.sim));
    CHECK_FALSE(expects(f, SimId{2}));
    f.keep(f.inbound("b", ConcatInfo{.ref = 5, .total = 2, .seq = 2}));
    CHECK_FALSE(expects(f, f.sim));
}

TEST_CASE("store: what was settled for a SIM is not looked at again, and what comes later is") {
    StoreFixture f;
    Asker expects;
    const auto settled = [&] {
        return f
            .look([&](ports::StoreReader& reader) {
                return reader.expects(f.sim, f.clock.wall(), {});
            })
            .value()
            .settled;
    };
    (void)f.sent(7);
    (void)f.sent(8);
    const AttemptId none = settled();
    f.keep(f.report(7));
    CHECK(expects(f, f.sim));
    const AttemptId first = settled();
    CHECK(first > none);
    f.keep(f.report(8));
    CHECK_FALSE(expects(f, f.sim));
    CHECK(settled() > first);
    (void)f.sent(9);
    CHECK(expects(f, f.sim));
}

TEST_CASE("store: the event of a worse end says that the message had ended before") {
    StoreFixture f;
    const MessageId id = f.accepted();
    for (std::uint8_t segment = 0; segment < 2; ++segment) {
        const auto attempt = f.begin(id, segment, 2);
        REQUIRE(attempt);
        const auto tp_mr = static_cast<std::uint8_t>(segment + 1);
        REQUIRE(f.end(f.taken(id, *attempt, segment, tp_mr)));
    }
    constexpr std::uint8_t no_such_number = 0x41;
    REQUIRE(f.keep(f.report(1, no_such_number))->matched);
    REQUIRE(f.state(id) == undelivered);
    CHECK_FALSE(f.heard.events.back().again);
    REQUIRE(f.keep(f.report(2, refused))->matched);
    REQUIRE(f.state(id) == expired);
    CHECK(f.heard.events.back().again);

    const auto all = f.look([](ports::StoreReader& r) { return r.events({}, 100); });
    REQUIRE(all);
    for (const auto& events : {*all, f.detail(id).history}) {
        for (const Event& event : events) {
            CAPTURE(message_state_name(event.state));
            CHECK(event.again == (event.state == expired));
        }
    }
}
