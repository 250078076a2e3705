#include "tests/src/api/api_rig.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;
using test::ApiRig;

namespace {

Event event(std::int64_t seq, ClientId client) {
    return {.seq = EventSeq{seq},
            .message = MessageId{seq},
            .client = client,
            .state = MessageState::sent,
            .modem = "m0"};
}

std::vector<std::int64_t> ids(const std::string& written) {
    std::vector<std::int64_t> found;
    for (std::size_t at = written.find("\nid: "); at != std::string::npos;
         at = written.find("\nid: ", at + 1)) {
        found.push_back(std::stoll(written.substr(at + 5)));
    }
    return found;
}

using Ids = std::vector<std::int64_t>;

/// Clients "a" (71) and "b" (72), and events 1 to 6 of a, b, no client, a, b, no client.
struct TwoClients : ApiRig {
    TwoClients() {
        store.reader.client_rows = {{.id = a, .name = "a"}, {.id = b, .name = "b"}};
        commit_events(
            {event(1, a), event(2, b), event(3, {}), event(4, a), event(5, b), event(6, {})});
    }
    const ClientId a{71};
    const ClientId b{72};
};

}  // namespace

TEST_CASE("Clients: a named listener gets what it brought, from its cursor on and then live") {
    TwoClients rig;
    const auto a = rig.done("GET", "/v1/events?client=a");
    CHECK(a->streaming);
    CHECK(ids(a->written) == Ids{1, 4});
    rig.commit_events({event(7, rig.b), event(8, rig.a), event(9, {})});
    rig.settle();
    CHECK(ids(a->written) == Ids{1, 4, 8});
    CHECK(rig.front_ends.seen("a").link == ports::ClientLink::active);
    const auto b = rig.done("GET", "/v1/events", {}, {{"smsrack-client", "b"}});
    CHECK(ids(b->written) == Ids{2, 5, 7});
}

TEST_CASE(
    "Clients: the last id acknowledges; one that is behind the cursor is read again from there") {
    TwoClients rig;
    const auto first = rig.done("GET", "/v1/events?client=a", {}, {{"last-event-id", "1"}});
    CHECK(ids(first->written) == Ids{4});
    CHECK(rig.store.reader.client_rows[0].cursor == EventSeq{1});
    rig.store.reader.client_rows[0].cursor = EventSeq{4};
    const auto again = rig.done("GET", "/v1/events?client=a", {}, {{"last-event-id", "1"}});
    CHECK(ids(again->written) == Ids{4});
    const auto anew = rig.done("GET", "/v1/events?client=a");
    CHECK(ids(anew->written).empty());
}

TEST_CASE("Clients: all=true gives everything, with the name's own place") {
    TwoClients rig;
    rig.store.reader.client_rows[0].cursor = EventSeq{3};
    const auto client = rig.done("GET", "/v1/events?client=a&all=true");
    CHECK(ids(client->written) == Ids{4, 5, 6});
}

namespace {

Event received(std::int64_t seq, ClientId answers) {
    return {.seq = EventSeq{seq},
            .type = EventType::message_received,
            .inbox = InboxId{seq},
            .answers = answers};
}

const wire::Peer sender{.uid = 1001, .gid = 1001, .known = true};

}  // namespace

TEST_CASE(
    "Clients: inbox= adds what answers the client, and what answers no client; default none") {
    struct Row {
        const char* query;
        Ids written;
    };
    for (const Row& row : {
             Row{"client=a", {1, 4}},
             Row{"client=a&inbox=none", {1, 4}},
             Row{"client=a&inbox=replies", {1, 4, 7}},
             Row{"client=a&inbox=all", {1, 4, 7, 9}},
             Row{"client=a&inbox=replies&types=message.received", {7}},
             Row{"client=a&all=true", {1, 2, 3, 4, 5, 6, 7, 8, 9}},
         }) {
        CAPTURE(row.query);
        TwoClients live;
        const auto client = live.done("GET", std::string("/v1/events?") + row.query);
        TwoClients read;
        for (TwoClients* const rig : {&live, &read}) {
            rig->store.reader.inbox_rows = {
                {.id = InboxId{7}, .from = "+33611111111", .content = {.text = "yes"}}};
            for (const std::int64_t seq : {7, 8, 9}) {
                const ClientId answers = seq == 7 ? rig->a : seq == 8 ? rig->b : ClientId{};
                rig->commit_events({received(seq, answers)});  // each wakes for itself
                rig->settle();
            }
        }
        const auto again = read.done("GET", std::string("/v1/events?") + row.query);
        for (const auto& stream : {client, again}) {
            CHECK(ids(stream->written) == row.written);
            CHECK(stream->written.contains(R"("text":"yes")") ==
                  (std::ranges::count(row.written, 7) == 1));
        }
    }
}

TEST_CASE("Clients: inbox=replies is the client's own; inbox=all takes the role read") {
    TwoClients rig;
    for (const char* query :
         {"client=billing&inbox=replies", "client=billing&inbox=replies&types=message.received"}) {
        CAPTURE(query);
        CHECK(rig.done_by(sender, "GET", std::string("/v1/events?") + query)->streaming);
    }
    for (const char* query :
         {"client=billing&inbox=all", "client=billing&types=message.received",
          "client=a&inbox=replies", "client=billing&inbox=replies&types=modem.state"}) {
        CAPTURE(query);
        CHECK(rig.done_by(sender, "GET", std::string("/v1/events?") + query)->answer.status == 403);
    }
}

TEST_CASE("Clients: another process resumes a stream with its share of the inbox") {
    for (const auto& [share, expected] :
         {std::pair{"replies", Ids{7}}, std::pair{"all", Ids{7, 9}}}) {
        CAPTURE(share);
        TwoClients rig;
        const std::string mark =
            rig.done("GET", std::string("/v1/events?client=a&inbox=") + share)->mark();
        TwoClients next;
        const auto resumed = std::make_shared<test::FakeResponder>();
        next.responders.push_back(resumed);
        CHECK(next.api.resume(mark, wire::Peer{.uid = 0, .known = true}, resumed) == nullptr);
        next.commit_events({received(7, next.a), received(8, next.b), received(9, {})});
        next.settle();
        CHECK(ids(resumed->written) == expected);
    }
}

TEST_CASE("Clients: an id above the newest event acknowledges nothing and skips nothing") {
    struct Row {
        const char* what;
        const char* query;
        std::int64_t cursor;
        Ids written;
    };
    for (const Row& row : {
             Row{"its own events, behind its cursor", "client=a", 1, {4}},
             Row{"all, behind its cursor", "client=a&all=true", 3, {4, 5, 6}},
             Row{"all, and its name is new here", "client=a&all=true", 71, {1, 2, 3, 4, 5, 6}},
         }) {
        CAPTURE(row.what);
        TwoClients rig;
        rig.store.reader.client_rows[0].cursor = EventSeq{row.cursor};
        const auto client = rig.done("GET", std::string("/v1/events?") + row.query, {},
                                     {{"last-event-id", "1000"}});
        CHECK(ids(client->written) == row.written);
    }
}

TEST_CASE("Clients: a named stream handed over to a process with another database is cut") {
    TwoClients rig;
    const std::string mark = rig.done("GET", "/v1/events?client=a")->mark();
    ApiRig next;
    next.commit_events({event(1, {})});
    const auto resumed = std::make_shared<test::FakeResponder>();
    next.responders.push_back(resumed);
    CHECK(next.api.resume(mark, wire::Peer{.uid = 0, .known = true}, resumed) == nullptr);
    CHECK(resumed->was_cut);
    CHECK(next.events.subscribers() == 0);
}

TEST_CASE(
    "Clients: the newer connection replaces the older, which gets a notice without an id and is "
    "ended") {
    TwoClients rig;
    const auto older = rig.done("GET", "/v1/events?client=a");
    const auto newer = rig.done("GET", "/v1/events?client=a");
    CHECK(older->answered);
    CHECK(older->written.ends_with(
        "event: client.ended\ndata: "
        "{\"type\":\"client.ended\",\"client\":\"a\",\"why\":\"replaced\"}\n\n"));
    rig.commit_events({event(7, rig.a)});
    rig.settle();
    CHECK(ids(newer->written) == Ids{1, 4, 7});
    CHECK(ids(older->written) == Ids{1, 4});
    CHECK(rig.events.subscribers() == 1);
}

TEST_CASE("Clients: a lost connection is pending, and stop after the disconnect timer") {
    TwoClients rig;
    const auto client = rig.done("GET", "/v1/events?client=a");
    std::exchange(client->close, nullptr)();
    CHECK(rig.done("GET", "/v1/clients/a")->json().at("link") == "pending");
    rig.clock.advance(31s);
    (void)rig.front_ends.step(rig.clock.steady());
    CHECK(rig.done("GET", "/v1/clients/a")->json().at("link") == "stop");
    REQUIRE(rig.store.kept_events.size() == 3);
    CHECK(rig.store.kept_events[2].detail == "stop a");
}

TEST_CASE("Clients: another process resumes a named stream where this one was") {
    TwoClients rig;
    const auto client = rig.done("GET", "/v1/events?client=a&types=message.sent");
    const std::string mark = client->mark();
    TwoClients next;
    next.commit_events({event(7, next.b), event(8, next.a)});
    const auto resumed = std::make_shared<test::FakeResponder>();
    next.responders.push_back(resumed);
    CHECK(next.api.resume(mark, wire::Peer{.uid = 0, .known = true}, resumed) == nullptr);
    next.settle();
    CHECK(ids(resumed->written) == Ids{8});
    CHECK(next.front_ends.seen("a").link == ports::ClientLink::active);
    next.commit_events({event(9, next.a), event(10, next.b)});
    next.settle();
    CHECK(ids(resumed->written) == Ids{8, 9});
}

TEST_CASE("Clients: a message says who brought it, by a member, a header, or a line of NDJSON") {
    ApiRig rig;
    const std::string message = R"({"to":"+33612345678","text":"x")";
    rig.call("POST", "/v1/messages", message + R"(,"client":"a"})");
    rig.call("POST", "/v1/messages", message + "}", {{"smsrack-client", "b"}});
    rig.call("POST", "/v1/messages", message + "}");
    REQUIRE(rig.store.accepting.size() == 3);
    CHECK(rig.store.accepting[0].command.message.client == "a");
    CHECK(rig.store.accepting[1].command.message.client == "b");
    CHECK(rig.store.accepting[2].command.message.client.empty());

    const auto lines = std::make_shared<test::FakeResponder>();
    rig.responders.push_back(lines);
    wire::HttpRequest head =
        ApiRig::request_of("POST", "/v1/messages",
                           {{"content-type", "application/x-ndjson"}, {"smsrack-client", "c"}});
    const auto body = rig.api.stream(std::move(head), lines);
    body->data(message + "}\n" + message + R"(,"client":"c"})" + "\n" + message +
               R"(,"client":"d"})" + "\n");
    body->end();
    REQUIRE(rig.store.accepting.size() == 5);
    CHECK(rig.store.accepting[3].command.message.client == "c");
    CHECK(rig.store.accepting[4].command.message.client == "c");
    rig.settle();
    CHECK(lines->written.contains("client: not the Smsrack-Client of the header"));
}

TEST_CASE("Clients: wrong names and flags are refused") {
    ApiRig rig;
    for (const std::string query :
         {"client=", "client=a+b", "client=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "client=a&clear=yes",
          "all=true", "clear=true", "inbox=replies", "inbox=all", "client=a&inbox=some",
          "client=a&all=true&inbox=replies"}) {
        CAPTURE(query);
        CHECK(rig.done("GET", "/v1/events?" + query)->answer.status == 400);
    }
    CHECK(rig.done("GET", "/v1/events?client=a", {}, {{"smsrack-client", "b"}})->answer.status ==
          400);
    CHECK(rig.done("POST", "/v1/messages", R"({"to":"+33612345678","text":"x","client":"a b"})")
              ->answer.status == 400);
    CHECK(rig.clients.arrivals.empty());
    rig.clients.refusal = Error{.code = Errc::queue_full, .context = "rule clients_max"};
    CHECK(rig.done("GET", "/v1/events?client=a")->answer.status == 503);
    CHECK(rig.events.subscribers() == 0);
}

TEST_CASE("Clients: the list has link, gate and what waits; acknowledging moves the place") {
    TwoClients rig;
    rig.store.reader.client_rows[1].buffered = 2;
    const auto b = rig.done("GET", "/v1/events?client=b");
    const auto list = rig.done("GET", "/v1/clients")->json();
    REQUIRE(list.at("clients").size() == 2);
    CHECK(list.at("clients")[0].at("link") == "stop");
    CHECK(list.at("clients")[1].at("link") == "active");
    CHECK(list.at("clients")[1].at("buffered") == 2);
    CHECK(rig.done("GET", "/v1/clients?limit=1")->json().at("next") == "a");
    CHECK(rig.done("POST", "/v1/clients/b/ack", R"({"id":"5"})")->json().at("acknowledged") == "5");
    CHECK(rig.done("POST", "/v1/clients/b/ack", R"({"id":6})")->json().at("acknowledged") == "6");
    for (const char* wrong : {"", "{}", R"({"id":-1})", R"({"id":"x"})", R"({"no":1})"}) {
        CAPTURE(wrong);
        CHECK(rig.done("POST", "/v1/clients/b/ack", wrong)->answer.status == 400);
    }
    CHECK(rig.done("POST", "/v1/clients/nobody/ack", R"({"id":1})")->answer.status == 404);
    CHECK(rig.done("GET", "/v1/clients/nobody")->answer.status == 404);
    CHECK(rig.done("POST", "/v1/clients/b/heartbeat")->json().at("name") == "b");
    CHECK(rig.done_by(rig.sender, "POST", "/v1/clients/b/block")->answer.status == 403);
    CHECK(rig.done_by(rig.sender, "DELETE", "/v1/clients/b")->answer.status == 403);
}

TEST_CASE("Clients: metrics count them by state, and what is buffered and lost, without names") {
    TwoClients rig;
    rig.store.reader.client_rows[0].buffered = 3;
    rig.store.reader.client_rows[1].lost = 4;
    rig.store.reader.client_rows[1].blocked_at = WallTime{1ms};
    const auto a = rig.done("GET", "/v1/events?client=a");
    const std::string text = rig.done("GET", "/metrics")->answer.body;
    CHECK(text.contains("smsrack_clients{state=\"active\"} 1\n"));
    CHECK(text.contains("smsrack_clients{state=\"stop\"} 1\n"));
    CHECK(text.contains("smsrack_clients_blocked 1\n"));
    CHECK(text.contains("smsrack_client_results_buffered 3\n"));
    CHECK(text.contains("smsrack_client_results_lost 4\n"));
}

TEST_CASE("Clients: the preview names what keeps a client's message out") {
    TwoClients rig;
    const auto preview = [&] {
        return rig.done("POST", "/v1/preview", R"({"to":"+33612345678","text":"x","client":"a"})")
            ->json();
    };
    CHECK(preview().at("refused") == false);
    rig.store.reader.client_rows[0].blocked_at = WallTime{1ms};
    CHECK(preview().at("refused") == true);
    CHECK(preview().at("why") == "client_blocked");
}
