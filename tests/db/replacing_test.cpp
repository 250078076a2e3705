// A message of which nothing was begun gets another content.
#include "tests/db/store_fixture.hpp"

#include <optional>
#include <string>

using namespace smsrack;
using namespace std::chrono_literals;
using test::StoreFixture;

namespace {

ports::ReplaceMessage other(const StoreFixture& f, MessageId id, std::string text = "other") {
    return {.message = id, .body = {.to = {}, .text = std::move(text)}, .at = f.clock.wall()};
}

OutMessage loaded(StoreFixture& f, MessageId id) {
    return f.look([&](ports::StoreReader& r) { return r.out_message(id); }).value();
}

Result<AttemptId> begin(StoreFixture& f, const OutMessage& message) {
    return f.ask(ports::BeginAttempt{.message = message.id,
                                     .modem = "m0",
                                     .sim = f.sim,
                                     .at = f.clock.wall(),
                                     .queued_by = message.queued_by});
}

}  // namespace

TEST_CASE("replace: the content is another one; id, ref, number, level and age stay") {
    StoreFixture f;
    NewMessage message = f.message();
    message.level = 5;
    message.ref = "r1";
    message.fingerprint = 7;
    message.note = "first";
    message.body.message_class = 1;
    const MessageId id = f.accepted(message);
    f.clock.advance(1min);
    auto command = other(f, id, std::string(200, 'x'));
    command.segments = 2;
    const auto replaced = f.ask(command);
    REQUIRE(replaced);
    CHECK(replaced->id == id);
    CHECK(replaced->state == MessageState::queued);
    CHECK(replaced->segments == 2);
    f.reopen();

    const OutMessage out = loaded(f, id);
    CHECK(out.body.text == std::string(200, 'x'));
    CHECK(out.body.to == "+33612345678");
    CHECK(out.body.message_class == 1);
    CHECK(out.level == 5);
    CHECK(out.queued_at == message.created_at);
    CHECK(out.expires_at == message.expires_at);
    const auto detail = f.detail(id);
    CHECK(detail.message.segments == 2);
    CHECK(detail.message.note == "first");
    CHECK(detail.history.back().state == MessageState::queued);
    CHECK(detail.history.back().detail == "replaced");
    CHECK(f.store->work(f.store->group_id("default").value()).at(5) == 2);
    CHECK(f.count(MessageState::queued) == 1);
    CHECK(f.accept(message)->id == id);  // the ref still gives the first answer
}

TEST_CASE("replace: octets for a text and back, with time to live and note where they are given") {
    StoreFixture f;
    const MessageId id = f.accepted();
    auto octets = other(f, id, "");
    octets.body = {.to = {}, .data = std::string("\0\1", 2), .is_data = true};
    octets.ttl = 600s;
    octets.note = "second";
    f.clock.advance(1min);
    octets.at = f.clock.wall();
    REQUIRE(f.ask(octets));
    OutMessage out = loaded(f, id);
    CHECK(out.body.is_data);
    CHECK(out.body.data == octets.body.data);
    CHECK(out.expires_at == f.clock.wall() + 600s);
    CHECK(f.detail(id).message.note == "second");
    CHECK(f.heard.events.back().note == "second");
    REQUIRE(f.ask(other(f, id)));
    out = loaded(f, id);
    CHECK_FALSE(out.body.is_data);
    CHECK(out.body.text == "other");
}

TEST_CASE("replace: whether a status report is asked for changes only where it is said") {
    for (const bool before : {true, false}) {
        for (const std::optional<bool> report : {std::optional<bool>(), {true}, {false}}) {
            CAPTURE(before);
            CAPTURE(report.value_or(before));
            StoreFixture f;
            NewMessage message = f.message();
            message.body.report = before;
            const MessageId id = f.accepted(message);
            auto command = other(f, id);
            command.report = report;
            REQUIRE(f.ask(command));
            CHECK(loaded(f, id).body.report == report.value_or(before));
            CHECK(f.detail(id).message.body.report == report.value_or(before));
        }
    }
}

TEST_CASE("replace: what was loaded before is neither begun nor ended; what is loaded now is") {
    StoreFixture f;
    const MessageId id = f.accepted();
    const OutMessage before = loaded(f, id);
    REQUIRE(f.ask(other(f, id)));
    SUBCASE("begun") {
        const auto refused = begin(f, before);
        REQUIRE_FALSE(refused);
        CHECK(refused.error().code == Errc::conflict);
        CHECK(refused.error().detail == ports::was_replaced);
        CHECK(f.state(id) == MessageState::queued);
        CHECK(begin(f, loaded(f, id)));
    }
    SUBCASE("ended") {
        ports::FinishMessage end{.message = id,
                                 .event = MessageEvent::too_late,
                                 .detail = "ttl",
                                 .at = f.clock.wall(),
                                 .queued_by = before.queued_by};
        const auto refused = f.ask(end);
        REQUIRE_FALSE(refused);
        CHECK(refused.error().detail == ports::was_replaced);
        CHECK(f.state(id) == MessageState::queued);
        end.queued_by = loaded(f, id).queued_by;
        CHECK(f.ask(end));
    }
    SUBCASE("the place is not known") {
        CHECK(f.begin(id));
    }
}

TEST_CASE("replace: it goes behind what is queued, where a reader that has passed it finds it") {
    StoreFixture f;
    const MessageId first = f.accepted();
    const MessageId second = f.accepted();
    const GroupId group = f.store->group_id("default").value();
    f.heard.work.clear();
    REQUIRE(f.ask(other(f, first)));
    CHECK(f.heard.work.size() == 1);
    const auto rest = f.look(
        [&](ports::StoreReader& r) { return r.queued(group, 3, EventSeq{second.value}, 10); });
    REQUIRE(rest->size() == 1);
    CHECK(rest->front().id == first);
    CHECK(rest->front().body.text == "other");
}

TEST_CASE("replace: a scheduled message may get another time, a queued one may not") {
    StoreFixture f;
    NewMessage message = f.message();
    message.not_before = f.clock.wall() + 1h;
    const MessageId scheduled = f.accepted(message);
    auto command = other(f, scheduled);
    command.not_before = f.clock.wall() + 2h;
    command.ttl = 600s;
    REQUIRE(f.ask(command));
    CHECK(f.heard.events.back().state == MessageState::scheduled);
    CHECK(loaded(f, scheduled).expires_at == f.clock.wall() + 2h + 600s);
    f.clock.advance(1h);
    (void)f.take_due();
    CHECK(f.state(scheduled) == MessageState::scheduled);
    f.clock.advance(1h);
    (void)f.take_due();
    CHECK(f.state(scheduled) == MessageState::queued);
    command.at = f.clock.wall();
    CHECK(f.ask(command).error().code == Errc::conflict);
    CHECK(begin(f, loaded(f, scheduled)));
}

TEST_CASE("replace: 16 times, since each one is an event that the store keeps") {
    StoreFixture f;
    NewMessage message = f.message();
    message.not_before = f.clock.wall() + 1h;
    const MessageId id = f.accepted(message);
    for (int i = 0; i < 10; ++i) {
        REQUIRE(f.ask(other(f, id)));
    }
    f.clock.advance(1h);
    (void)f.take_due();
    f.reopen();
    for (int i = 0; i < 6; ++i) {
        REQUIRE(f.ask(other(f, id, "newest")));
    }
    const auto refused = f.ask(other(f, id));
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == Errc::conflict);
    CHECK(refused.error().context.contains("16 times"));
    CHECK(loaded(f, id).body.text == "newest");
    CHECK(begin(f, loaded(f, id)));
}

TEST_CASE("replace: another time leaves the time to live as long as it was") {
    StoreFixture f;
    NewMessage message = f.message();
    message.not_before = f.clock.wall() + 1h;
    message.expires_at = f.clock.wall() + 2h;
    const MessageId scheduled = f.accepted(message);
    auto command = other(f, scheduled);
    command.not_before = f.clock.wall() + 5h;
    REQUIRE(f.ask(command));
    CHECK(loaded(f, scheduled).expires_at == f.clock.wall() + 6h);
}

TEST_CASE("replace: what was begun or has ended stays as it is; an unknown id is not found") {
    StoreFixture f;
    const auto refused = [&](MessageId id) {
        const auto text = f.detail(id).message.body.text;
        const auto answer = f.ask(other(f, id));
        return !answer && answer.error().code == Errc::conflict &&
               f.detail(id).message.body.text == text;
    };
    const MessageId sending = f.accepted();
    const AttemptId attempt = f.begin(sending).value();
    CHECK(refused(sending));
    REQUIRE(f.end(f.refused(sending, attempt)));
    CHECK(refused(sending));
    CHECK(refused(f.sent(1)));
    const MessageId cancelled = f.accepted();
    REQUIRE(f.ask(ports::CancelMessage{cancelled, f.clock.wall()}));
    CHECK(refused(cancelled));
    const MessageId doubtful = f.accepted();
    REQUIRE(f.end(f.silent(doubtful, f.begin(doubtful).value())));
    CHECK(refused(doubtful));
    CHECK(f.ask(other(f, MessageId{999'999})).error().code == Errc::not_found);
}
