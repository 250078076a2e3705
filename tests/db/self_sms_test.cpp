// Messages of the rack to its own SIMs: their mark, their arrival, and those that do not come.
#include "src/sms/self_sms.hpp"

#include "db/engine/connection.hpp"
#include "db/upkeep/check.hpp"
#include "tests/db/store_fixture.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;
using test::StoreFixture;

namespace {

constexpr std::uint64_t token = 0x0123'4567'89ab'cdefULL;

NewMessage probe(const StoreFixture& f, std::uint64_t of = token, Level level = 3) {
    NewMessage message = f.message("+33600000001", self_sms_text(of));
    message.body.report = false;
    message.level = level;
    message.ref = self_sms_ref(of);
    message.fingerprint = of;
    message.expires_at = message.created_at + 5min;
    message.batch = std::string(self_sms_batch);
    message.self_sms = true;
    return message;
}

InboundKept comes_in(StoreFixture& f, std::uint64_t of = token) {
    const auto kept = f.keep(f.inbound(self_sms_text(of)));
    REQUIRE(kept);
    return *kept;
}

void lose(StoreFixture& f) {
    f.store->post(ports::LoseSelfSms{f.clock.wall() - 1min, f.clock.wall()});
    f.run();
}

std::size_t inbox(StoreFixture& f) {
    return f.look([](ports::StoreReader& r) { return r.inbox({}); })->size();
}

std::vector<ports::SelfSmsSent> sent_before(StoreFixture& f) {
    auto sent = f.look<ports::RackReader>([](ports::RackReader& reader) {
                     return reader.self_sms_sent();
                 }).value();
    std::ranges::sort(sent, {}, [](const auto& one) { return std::pair(one.group, one.level); });
    return sent;
}

std::size_t problems(StoreFixture& f) {
    const auto checked = db::check(f.folder.file("smsrack.db"));
    REQUIRE(checked);
    return checked->problems.size();
}

}  // namespace

TEST_CASE("self-SMS rows: the arrival is the report, in no inbox, and once") {
    StoreFixture f;
    const MessageId id = f.sent(1, probe(f));
    f.clock.advance(4s);
    const InboundKept first = comes_in(f);
    CHECK(first.self_sms == 4'000ms);
    CHECK(first.inbox == InboxId{});
    CHECK(f.history(id) == std::vector{MessageState::queued, MessageState::sending,
                                       MessageState::sent, MessageState::delivered});
    f.clock.advance(4s);
    const InboundKept again = comes_in(f);
    CHECK(again.duplicate);
    CHECK_FALSE(again.self_sms);
    CHECK(inbox(f) == 0);
    CHECK(f.history(id).size() == 4);
    const auto detail = f.detail(id);
    REQUIRE(detail.attempts.size() == 1);
    CHECK(detail.message.batch == self_sms_batch);
    CHECK(problems(f) == 0);
}

TEST_CASE("self-SMS rows: no front end hears of them, named or not") {
    StoreFixture f;
    const MessageId before = f.accepted();
    const MessageId id = f.sent(1, probe(f));
    comes_in(f);
    const MessageId after = f.accepted();
    const auto events = f.look([](ports::StoreReader& r) { return r.events({}, 100); });
    REQUIRE(events);
    REQUIRE(events->size() == 2);
    CHECK(events->front().message == before);
    CHECK(events->back().message == after);
    // What is committed tells whose it is: by that they are kept from the stream too.
    CHECK(std::ranges::all_of(f.heard.events, [&](const Event& event) {
        return (event.client == rack_itself) == (event.message == id);
    }));
    CHECK(f.look([](ports::StoreReader& r) { return r.clients({}, 100); })->empty());
}

TEST_CASE("self-SMS rows: one that comes in before the modem's answer waits for that") {
    struct Row {
        const char* so;
        std::function<ports::EndAttempt(StoreFixture&, MessageId, AttemptId)> end;
        MessageState state;
    };
    for (const Row& row :
         {Row{"taken", [](auto&f, auto id, auto at) { return f.taken(id, at, 0, 1); },
              MessageState::delivered},
          Row{"no answer", [](auto&f, auto id, auto at) { return f.silent(id, at); },
              MessageState::delivered},
          Row{"refused: it is sent once more, and is not delivered by what came of the first",
              [](auto&f, auto id, auto at) { return f.refused(id, at); }, MessageState::sending}}) {
        CAPTURE(row.so);
        StoreFixture f;
        const MessageId id = f.accepted(probe(f));
        const auto attempt = f.begin(id);
        REQUIRE(attempt);
        f.clock.advance(3s);
        CHECK(comes_in(f).self_sms == 3'000ms);
        CHECK(f.state(id) == MessageState::sending);
        const auto applied = f.end(row.end(f, id, *attempt));
        REQUIRE(applied);
        CHECK(applied->message_state == row.state);
        CHECK(f.state(id) == row.state);
        CHECK(f.uncertain_attempts().empty());
        CHECK(problems(f) == 0);
    }
}

TEST_CASE(
    "self-SMS rows: whatever step the power goes after, it is delivered once it has come in") {
    for (int cut = 0; cut < 4; ++cut) {
        for (const bool early : {false, true}) {
            CAPTURE(cut);
            CAPTURE(early);
            StoreFixture f;
            int step = 0;
            const auto step_ends = [&] {
                if (step++ == cut) {
                    f.reopen();
                }
            };
            const MessageId id = f.accepted(probe(f));
            step_ends();
            const auto attempt = f.begin(id);
            REQUIRE(attempt);
            step_ends();
            const auto answer = [&] { (void)f.end(f.taken(id, *attempt, 0, 1)); };
            if (!early) {
                answer();
                step_ends();
            }
            comes_in(f);
            if (early) {
                step_ends();
                answer();
            }
            step_ends();
            CHECK(f.state(id) == MessageState::delivered);
            CHECK(f.detail(id).attempts.size() == 1);
            CHECK(inbox(f) == 0);
            CHECK(comes_in(f).duplicate);
            CHECK(f.uncertain_attempts().empty());
            CHECK(problems(f) == 0);
        }
    }
}

TEST_CASE("self-SMS rows: lost is what the network has, or may have, a minute after its time") {
    StoreFixture f;
    const MessageId sent = f.sent(1, probe(f, 1));
    const MessageId doubtful = f.accepted(probe(f, 2));
    const auto attempt = f.begin(doubtful);
    REQUIRE(f.end(f.silent(doubtful, *attempt)));
    const MessageId came = f.sent(2, probe(f, 3));
    comes_in(f, 3);
    const MessageId waits = f.accepted(probe(f, 4));
    NewMessage other = f.message();
    other.body.report = false;
    other.expires_at = other.created_at + 5min;
    const MessageId no_probe = f.sent(3, other);

    f.clock.advance(6min);
    lose(f);
    CHECK(f.state(sent) == MessageState::sent);  // exactly then it may still come
    f.clock.advance(1ms);
    f.reopen();
    lose(f);
    lose(f);
    for (const MessageId id : {sent, doubtful}) {
        CHECK(f.state(id) == MessageState::undelivered);
        CHECK(f.detail(id).message.detail == "self_sms_lost");
        CHECK(std::ranges::count(f.history(id), MessageState::undelivered) == 1);
    }
    CHECK(f.state(came) == MessageState::delivered);
    CHECK(f.state(waits) == MessageState::queued);
    CHECK(f.state(no_probe) == MessageState::sent);
    CHECK(f.uncertain_attempts().empty());
    const auto told = std::ranges::find(f.heard.events, MessageState::undelivered, &Event::state);
    REQUIRE(told != f.heard.events.end());
    CHECK(told->modem == "m0");  // the line that sent it
    CHECK(told->client == rack_itself);
    CHECK(problems(f) == 0);
}

TEST_CASE("self-SMS rows: one that comes in when it was given up stays lost, and is in no inbox") {
    StoreFixture f;
    const MessageId id = f.sent(1, probe(f));
    f.clock.advance(7min);
    lose(f);
    REQUIRE(f.state(id) == MessageState::undelivered);
    CHECK(comes_in(f).self_sms == 7min);
    CHECK(f.state(id) == MessageState::undelivered);
    CHECK(inbox(f) == 0);
    const auto notes = f.detail(id).attempts.at(0).notes;
    REQUIRE(notes.size() == 1);
    CHECK(notes.front().kind == ports::NoteKind::self_sms);
    CHECK(notes.front().text.contains("m0, 420000 ms after"));
}

TEST_CASE("self-SMS rows: a text of theirs that is not of this store is a message like others") {
    StoreFixture f;
    NewMessage of_client = f.message();
    of_client.ref = self_sms_ref(7);
    of_client.fingerprint = 7;
    const MessageId id = f.sent(1, of_client);
    CHECK(comes_in(f, 7).inbox != InboxId{});
    CHECK(comes_in(f, 8).inbox != InboxId{});
    CHECK(inbox(f) == 2);
    CHECK(f.state(id) == MessageState::sent);
}

TEST_CASE("self-SMS rows: what a group sent last at each level is known after a start") {
    StoreFixture f;
    CHECK(sent_before(f).empty());
    f.accepted();
    f.sent(1, probe(f, 1, 6));
    f.clock.advance(10min);
    NewMessage other_group = probe(f, 2, 6);
    other_group.group = "west";
    f.accepted(other_group);
    f.clock.advance(10min);
    const WallTime newest = f.clock.wall();
    f.accepted(probe(f, 3, 6));
    f.accepted(probe(f, 4, 0));
    f.reopen();
    const auto sent = sent_before(f);
    REQUIRE(sent.size() == 3);
    CHECK(sent[0].level == 0);
    CHECK(sent[0].at == newest);
    CHECK(sent[1].group == sent[0].group);
    CHECK(sent[1].level == 6);
    CHECK(sent[1].at == newest);
    CHECK(sent[2].group == f.store->group_id("west").value());
    CHECK(sent[2].at == newest - 10min);
}

TEST_CASE("self-SMS rows: they keep the rules of the store, and their label can't be cancelled") {
    StoreFixture f({.capacity = 1});
    const MessageId id = f.accepted(probe(f, 1));
    CHECK(f.accept(probe(f, 2)).error().code == Errc::queue_full);
    CHECK(f.accept(probe(f, 1))->repeated);
    const auto cancelled = f.ask(ports::CancelBatch{std::string(self_sms_batch), f.clock.wall()});
    REQUIRE_FALSE(cancelled);
    CHECK(cancelled.error().code == Errc::conflict);
    CHECK(cancelled.error().context.contains("pause it"));
    CHECK(f.state(id) == MessageState::queued);
}

TEST_CASE("self-SMS rows: they go with their age, and all that came of them") {
    StoreFixture f;
    const MessageId id = f.sent(1, probe(f));
    comes_in(f);
    f.clock.advance(1h);
    for (std::size_t removed = 1; removed > 0;) {
        removed = f.ask(ports::RemoveOld{f.clock.wall(), f.clock.wall(), 100}).value();
    }
    CHECK_FALSE(f.look([&](ports::StoreReader& r) { return r.message(id); }));
    CHECK(sent_before(f).empty());
    const auto db = db::Connection::open(f.folder.file("smsrack.db"), {.read_only = true});
    REQUIRE(db);
    CHECK((*db)->scalar<std::int64_t>("SELECT count(*) FROM inbound_segments", -1) == 0);
    CHECK(problems(f) == 0);
}
