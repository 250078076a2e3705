#include "src/api/events/event_subscription.hpp"
#include "src/base/time_text.hpp"
#include "tests/src/api/api_rig.hpp"

#include <doctest/doctest.h>

#include <charconv>
#include <string>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

std::vector<Event> events(std::int64_t from, std::int64_t to,
                          MessageState state = MessageState::sent) {
    std::vector<Event> made;
    for (std::int64_t seq = from; seq <= to; ++seq) {
        made.push_back(
            {.seq = EventSeq{seq}, .message = MessageId{seq}, .state = state, .modem = "m0"});
    }
    return made;
}

/// The ids of all events written, in order.
std::vector<std::int64_t> ids(const std::string& written) {
    std::vector<std::int64_t> found;
    for (std::size_t at = written.find("\nid: "); at != std::string::npos;
         at = written.find("\nid: ", at + 1)) {
        std::int64_t id = 0;
        std::from_chars(written.data() + at + 5, written.data() + written.size(), id);
        found.push_back(id);
    }
    return found;
}

std::vector<std::int64_t> numbers(std::int64_t from, std::int64_t to) {
    std::vector<std::int64_t> all;
    for (std::int64_t i = from; i <= to; ++i) {
        all.push_back(i);
    }
    return all;
}

}  // namespace

TEST_CASE("Events: without Last-Event-ID, what comes from now on") {
    test::ApiRig rig;
    rig.commit_events(events(1, 10));
    const auto client = rig.done("GET", "/v1/events");
    CHECK(client->streaming);
    CHECK(client->answer.content_type == "text/event-stream");
    CHECK(client->filler_every == 15s);
    CHECK(ids(client->written).empty());
    rig.commit_events(events(11, 13));
    rig.settle();
    CHECK(ids(client->written) == numbers(11, 13));
    CHECK(
        client->written.contains("event: message.sent\nid: 11\ndata: {\"type\":\"message.sent\","));
}

TEST_CASE("Events: an end after an end says so, and no other event has that member") {
    test::ApiRig rig;
    const auto client = rig.done("GET", "/v1/events");
    auto two = events(11, 12, MessageState::expired);
    two.back().again = true;
    rig.commit_events(two);
    rig.settle();
    const std::size_t second = client->written.find("id: 12");
    REQUIRE(second != std::string::npos);
    CHECK_FALSE(client->written.substr(0, second).contains("\"again\""));
    CHECK(client->written.substr(second).contains("\"state\":\"expired\",\"again\":true"));
}

TEST_CASE("Events: a client that has seen the head of the answer misses nothing from then on") {
    test::ApiRig rig;
    rig.commit_events(events(1, 10));
    const auto client = rig.call("GET", "/v1/events");
    CHECK(client->streaming);
    rig.commit_events(events(11, 12));
    rig.settle();
    CHECK(ids(client->written) == numbers(11, 12));
}

TEST_CASE(
    "Events: Last-Event-ID resumes from the store, then continues live, without gap or repeat") {
    test::ApiRig rig;
    rig.commit_events(events(1, 1234));
    const auto client = rig.call("GET", "/v1/events", {}, {{"last-event-id", "34"}});
    // Events are committed in the middle of the reading.
    std::int64_t last = 1234;
    for (int i = 0; i < 20; ++i) {
        rig.commit_events(events(last + 1, last + 7));
        last += 7;
        if (!rig.store.reads.empty()) {
            rig.store.read_one();
        }
        rig.commit_events(events(last + 1, last + 1));
        last += 1;
        rig.loop.run_all();
    }
    rig.settle();
    CHECK(ids(client->written) == numbers(35, last));
}

TEST_CASE("Events: who is behind the tail reads the store again") {
    test::ApiRig rig;
    const auto client = rig.done("GET", "/v1/events", {}, {{"last-event-id", "0"}});
    const auto many = static_cast<std::int64_t>(notify::EventStream::tail_max) * 2;
    rig.commit_events(events(1, many));
    rig.settle();
    CHECK(ids(client->written) == numbers(1, many));
}

TEST_CASE("Events: an id above the newest event is of another database: all of this one comes") {
    test::ApiRig rig;
    rig.commit_events(events(1, 5));
    const auto client = rig.done("GET", "/v1/events", {}, {{"last-event-id", "1000"}});
    CHECK(ids(client->written) == numbers(1, 5));
    rig.commit_events(events(6, 6));
    rig.settle();
    CHECK(ids(client->written) == numbers(1, 6));
}

TEST_CASE("Events: the id of the newest event is not above it: only what comes later") {
    test::ApiRig rig;
    rig.commit_events(events(1, 5));
    const auto client = rig.done("GET", "/v1/events", {}, {{"last-event-id", "5"}});
    rig.commit_events(events(6, 6));
    rig.settle();
    CHECK(ids(client->written) == numbers(6, 6));
}

TEST_CASE("Events: a stream handed over to a process with another database gets all of that one") {
    test::ApiRig rig;
    rig.commit_events(events(1, 10));
    const std::string mark = rig.done("GET", "/v1/events")->mark();
    test::ApiRig next;
    next.commit_events(events(1, 3));
    const auto resumed = std::make_shared<test::FakeResponder>();
    next.responders.push_back(resumed);
    CHECK(next.api.resume(mark, wire::Peer{.uid = 0, .known = true}, resumed) == nullptr);
    next.settle();
    CHECK(ids(resumed->written) == numbers(1, 3));
}

TEST_CASE("Events: types= chooses, and the place still moves on") {
    test::ApiRig rig;
    const auto client = rig.done("GET", "/v1/events?types=message.failed,modem.state");
    rig.commit_events(events(1, 3));
    rig.commit_events(events(4, 4, MessageState::failed));
    rig.commit_events(
        {{.seq = EventSeq{5}, .type = EventType::modem_state, .modem = "m1", .detail = "pending"}});
    rig.settle();
    CHECK(ids(client->written) == std::vector<std::int64_t>{4, 5});
    CHECK(client->written.contains("event: modem.state\nid: 5\n"));
    CHECK(client->written.contains(R"("modem":"m1","state":"pending")"));
}

TEST_CASE("Events: message.received has the message, live and replayed") {
    test::ApiRig rig;
    rig.store.reader.inbox_rows = {
        {.id = InboxId{7}, .from = "+33611111111", .content = {.text = "yes"}}};
    const Event received{
        .seq = EventSeq{1}, .type = EventType::message_received, .inbox = InboxId{7}};
    const Event removed{
        .seq = EventSeq{2}, .type = EventType::message_received, .inbox = InboxId{6}};
    const auto live = rig.done("GET", "/v1/events");
    rig.commit_events({received, removed});
    rig.settle();
    const auto replayed = rig.done("GET", "/v1/events", {}, {{"last-event-id", "0"}});
    for (const auto& client : {live, replayed}) {
        CHECK(ids(client->written) == numbers(1, 2));
        CHECK(client->written.contains(R"("from":"+33611111111")"));
        CHECK(client->written.contains(R"("text":"yes")"));
        CHECK(client->written.contains(R"({"type":"message.received","at":")" +
                                       time_text(rig.clock.wall()) + R"(","id":"6"})"));
    }
}

TEST_CASE(
    "Events: message.received told with its row has it without the store; one without is read") {
    test::ApiRig rig;
    rig.store.reader.inbox_rows = {
        {.id = InboxId{8}, .from = "+33611111111", .content = {.text = "read"}}};
    const auto client = rig.done("GET", "/v1/events");
    const ports::InboxRow row{
        .id = InboxId{7}, .from = "+33611111111", .content = {.text = "told"}};
    rig.commit_events(
        {{.seq = EventSeq{1}, .type = EventType::message_received, .inbox = InboxId{7}}}, {row});
    rig.settle();
    CHECK(client->written.contains(R"("text":"told")"));
    const ports::InboxRow next{.id = InboxId{9}, .content = {.text = "next"}};
    rig.commit_events(
        {{.seq = EventSeq{2}, .type = EventType::message_received, .inbox = InboxId{8}},
         {.seq = EventSeq{3}, .type = EventType::message_received, .inbox = InboxId{9}}},
        {next});
    rig.settle();
    CHECK(ids(client->written) == numbers(1, 3));
    CHECK(client->written.contains(R"("text":"read")"));
}

TEST_CASE("Events: an event of a message names its number, as the store has it once it is old") {
    test::ApiRig rig;
    const auto client = rig.done("GET", "/v1/events");
    const Event event{.seq = EventSeq{1},
                      .at = rig.clock.wall(),
                      .message = MessageId{1},
                      .to = "+33612345678",
                      .state = MessageState::sent};
    rig.commit_events({event});
    rig.settle();
    CHECK(client->written.contains(R"("id":"1","to":"+33612345678","state":"sent")"));
    rig.store.reader.event_rows.front().to = "+33*";
    const auto replay = [&] {
        return rig.done("GET", "/v1/events", {}, {{"last-event-id", "0"}})->written;
    };
    CHECK(replay().contains(R"("to":"+33612345678")"));
    rig.clock.advance(1h + 1s);
    CHECK(replay().contains(R"("id":"1","to":"+33*","state":"sent")"));
}

TEST_CASE("Events: an event of a message has the note that its client gave it") {
    test::ApiRig rig;
    const auto client = rig.done("GET", "/v1/events");
    rig.commit_events({{.seq = EventSeq{1},
                        .message = MessageId{1},
                        .note = "order \"7\"",
                        .state = MessageState::sent},
                       {.seq = EventSeq{2}, .message = MessageId{2}, .state = MessageState::sent}});
    rig.settle();
    CHECK(client->written.contains(R"("note":"order \"7\"")"));
    CHECK(client->written.substr(client->written.find("\nid: 2")).contains("note") == false);
}

TEST_CASE("Events: a slow client is waited for and misses nothing; cut off, it is counted") {
    test::ApiRig rig;
    const auto client = rig.done("GET", "/v1/events");
    client->backlog_octets = 1;
    rig.commit_events(events(1, 3));
    rig.settle();
    CHECK(ids(client->written).empty());
    SUBCASE("it reads again") {
        const auto many = static_cast<std::int64_t>(notify::EventStream::tail_max) * 2;
        rig.commit_events(events(4, many));
        client->backlog_octets = 0;
        REQUIRE(client->drained);
        std::exchange(client->drained, nullptr)();
        rig.settle();
        CHECK(ids(client->written) == numbers(1, many));
        CHECK(rig.stats.value(stats::Counter::subscribers_dropped) == 0);
    }
    SUBCASE("it never does") {
        std::exchange(client->close, nullptr)();
        CHECK(rig.events.subscribers() == 0);
        CHECK(rig.stats.value(stats::Counter::subscribers_dropped) == 1);
        rig.commit_events(events(4, 5));
        rig.settle();
        CHECK(ids(client->written).empty());
    }
}

TEST_CASE("Events: a store that can't be read cuts the stream, so that the client comes again") {
    test::ApiRig rig;
    rig.commit_events(events(1, 10));
    rig.store.reader.broken = true;
    const auto client = rig.done("GET", "/v1/events", {}, {{"last-event-id", "3"}});
    CHECK(client->was_cut);
    CHECK(rig.events.subscribers() == 0);
}

TEST_CASE("Events: wrong types and ids are refused") {
    test::ApiRig rig;
    for (const std::string query :
         {"types=message.eaten", "types=message.sent,", "types=,", "colour=red"}) {
        CAPTURE(query);
        const bool good = query == "types=message.sent,";  // a comma at the end is no name
        CHECK((rig.done("GET", "/v1/events?" + query)->answer.status == 400) != good);
    }
    for (const std::string id : {"x", "-1", "1.5", "99999999999999999999"}) {
        CAPTURE(id);
        CHECK(rig.done("GET", "/v1/events", {}, {{"last-event-id", id}})->answer.status == 400);
    }
}
