#include "src/api/triggers/trigger_feed.hpp"

#include "tests/src/api/api_rig.hpp"

#include <doctest/doctest.h>

#include <fmt/format.h>
#include <memory>
#include <numeric>
#include <string>

using namespace smsrack;

namespace {

std::string line(int i) {
    return fmt::format("{{\"number\":\"+336{:08}\",\"topic\":\"paris\"}}\n", i);
}

std::string lines(int first, int last) {
    std::string text;
    for (int i = first; i <= last; ++i) {
        text += line(i);
    }
    return text;
}

struct Feed {
    explicit Feed(test::ApiRig& rig, const std::string& trigger = "welcome")
        : responder(std::make_shared<test::FakeResponder>()) {
        auto head =
            test::ApiRig::request_of("POST", "/v1/triggers/" + trigger + "/events",
                                     {{"content-type", "application/x-www-form-urlencoded"}});
        REQUIRE(rig.api.wants_stream(head));
        reader = rig.api.stream(std::move(head), responder);
    }
    [[nodiscard]] wire::Json answer() const {
        REQUIRE(responder->answered);
        return responder->json();
    }
    std::shared_ptr<test::FakeResponder> responder;
    std::unique_ptr<wire::BodyReader> reader;
};

std::vector<std::uint64_t> counted(std::uint64_t last) {
    std::vector<std::uint64_t> numbers(static_cast<std::size_t>(last));
    std::iota(numbers.begin(), numbers.end(), 1);
    return numbers;
}

}  // namespace

TEST_CASE("feed: each line is offered once, wherever the body is cut into pieces") {
    const std::string body = lines(1, 3) + "\r\n" + line(1) + "{\"number\":\"x\"}\n" + "bad\n" +
                             R"({"number":"06","topic":"a"})" + "\n" + line(9).substr(0, 43);
    for (std::size_t piece = 1; piece <= body.size(); piece += piece < 60 ? 1 : 37) {
        CAPTURE(piece);
        test::ApiRig rig;
        rig.triggers.at_once = piece % 2 == 0;
        Feed feed(rig);
        for (std::size_t at = 0; at < body.size(); at += piece) {
            feed.reader->data(std::string_view(body).substr(at, piece));
            if (piece % 3 == 0) {
                rig.triggers.decide_all();
            }
        }
        feed.reader->end();
        rig.triggers.decide_all();
        const wire::Json answer = feed.answer();
        CHECK(feed.responder->answer.status == 200);
        CHECK(answer["accepted"] == 5);
        CHECK(answer["new"] == 4);
        CHECK(answer["seen"] == 1);
        CHECK(answer["bad"] == 3);
        CHECK(answer["lines"] == 9);
        REQUIRE(answer["samples"].size() == 3);
        CHECK(answer["samples"][0]["line"] == 6);
        CHECK(answer["samples"][0]["why"] == "topic: is missing");
        CHECK(answer["samples"][1]["line"] == 7);
        CHECK(answer["samples"][2]["line"] == 8);
        CHECK(rig.triggers.lines == std::vector<std::uint64_t>{1, 2, 3, 5, 8, 9});
    }
}

TEST_CASE("feed: an engine that does not decide stops the reading; what is held has a bound") {
    test::ApiRig rig;
    Feed feed(rig);
    constexpr std::size_t piece = 64UL * 1024;  // one read of the session
    constexpr int events = 200'000;
    const std::string body = lines(1, events);
    std::size_t at = 0;
    const auto read_on = [&] {
        while (!feed.responder->body_paused && at < body.size()) {
            feed.reader->data(std::string_view(body).substr(at, piece));
            at += piece;
        }
    };
    read_on();
    CHECK(feed.responder->body_paused);
    CHECK(rig.triggers.under_way.size() == trigger::chunks_max);
    const std::size_t bound =
        (trigger::chunks_max + 1) * (api::TriggerFeed::text_wanted + piece) + piece;
    CHECK(at < bound);
    CHECK(at > bound / 2);
    while (at < body.size() || !rig.triggers.under_way.empty()) {
        if (at >= body.size() && feed.reader) {
            feed.reader->end();
            feed.reader.reset();
        }
        rig.triggers.decide(rig.triggers.under_way.size() - 1);  // the youngest first
        read_on();
        CHECK(rig.triggers.under_way.size() <= trigger::chunks_max);
    }
    if (feed.reader) {
        feed.reader->end();
        rig.triggers.decide_all();
    }
    CHECK(feed.answer()["new"] == events);
    CHECK(feed.answer()["lines"] == events);
    CHECK(rig.triggers.lines == counted(events));
    CHECK_FALSE(feed.responder->body_paused);
}

TEST_CASE("feed: two of them share the engine, and both come to their ends") {
    test::ApiRig rig;
    Feed one(rig);
    Feed two(rig);
    const std::string body = lines(1, 40'000);
    one.reader->data(body);
    two.reader->data(body);
    CHECK(two.responder->body_paused);
    one.reader->end();
    two.reader->end();
    rig.triggers.decide_all();
    CHECK(one.answer()["new"].get<int>() + two.answer()["new"].get<int>() == 40'000);
    CHECK(one.answer()["accepted"] == 40'000);
    CHECK(two.answer()["accepted"] == 40'000);
}

TEST_CASE("feed: a disk that fails is reported, with the last line up to which all were decided") {
    test::ApiRig rig;
    Feed feed(rig);
    feed.reader->data(lines(1, 3));
    rig.triggers.decide();
    feed.reader->data(lines(4, 6));
    rig.triggers.fail_one({.code = Errc::storage, .context = "the disk is full"});
    CHECK(feed.responder->answer.status == 507);
    CHECK(feed.answer()["code"] == "storage");
    CHECK(feed.answer()["detail"] == "the disk is full");
    CHECK(feed.answer()["lines"] == 3);
    CHECK(feed.answer()["accepted"] == 3);
    feed.reader->data(lines(7, 9));  // on its way; not wanted any more
    feed.reader->end();
    CHECK(rig.triggers.lines.size() == 6);
}

TEST_CASE("feed: where the service stops, the client learns how far it got") {
    test::ApiRig rig;
    Feed feed(rig);
    feed.reader->data(lines(1, 3) + "{\"half");
    rig.triggers.decide();
    feed.reader->stopped();
    CHECK(feed.responder->answer.status == 503);
    CHECK(feed.answer()["lines"] == 3);
    CHECK(feed.answer()["bad"] == 0);
}

TEST_CASE("feed: a client that goes away has fed what was whole; the next look says how much") {
    test::ApiRig rig;
    Feed feed(rig);
    feed.reader->data("bad\n" + lines(1, 3) + "{\"half");
    feed.reader->aborted();
    feed.reader.reset();
    rig.triggers.decide_all();
    CHECK_FALSE(feed.responder->answered);
    CHECK(rig.triggers.pairs.size() == 3);
}

TEST_CASE("feed: another process continues with what was not decided; no line is counted twice") {
    const std::string body = "bad\n" + lines(1, 9'000) + "bad again\n";
    for (const std::size_t cut :
         std::initializer_list<std::size_t>{0, 3, 4, 50, 200'001, body.size() - 1, body.size()}) {
        for (const std::size_t decided : {0UL, 1UL, 2UL}) {
            CAPTURE(cut);
            CAPTURE(decided);
            test::ApiRig first;
            Feed feed(first);
            feed.reader->data(std::string_view(body).substr(0, cut));
            for (std::size_t i = 0; i < decided && !first.triggers.under_way.empty(); ++i) {
                first.triggers.decide(first.triggers.under_way.size() - 1);
            }
            const bool ended = cut == body.size();
            if (ended) {
                feed.reader->end();
                feed.reader.reset();
            }
            if (feed.responder->answered) {
                continue;  // there was nothing left to leave
            }
            REQUIRE(feed.responder->mark);
            const std::string mark = feed.responder->mark();
            first.triggers.decide_all();  // on disk, but not acknowledged
            CHECK_FALSE(feed.responder->answered);

            test::ApiRig second;
            auto responder = std::make_shared<test::FakeResponder>();
            const auto reader =
                second.api.resume(mark, wire::Peer{.uid = 0, .known = true}, responder);
            REQUIRE((reader == nullptr) == ended);
            if (reader) {
                reader->data(std::string_view(body).substr(cut));
                reader->end();
            }
            second.triggers.decide_all();
            REQUIRE(responder->answered);
            CHECK(responder->json()["accepted"] == 9'000);
            CHECK(responder->json()["bad"] == 2);
            CHECK(responder->json()["lines"] == 9'002);
            CHECK(responder->json()["samples"][1]["line"] == 9'002);
        }
    }
    test::ApiRig rig;
    auto cut = std::make_shared<test::FakeResponder>();
    CHECK(rig.api.resume("feed of another version", wire::Peer{.uid = 0, .known = true}, cut) ==
          nullptr);
    CHECK(cut->was_cut);
}

TEST_CASE("feed: what an older version leaves is gone on with; it knew fewer verdicts") {
    test::ApiRig rig;
    auto responder = std::make_shared<test::FakeResponder>();
    const auto reader = rig.api.resume(
        "feed {\"trigger\":\"welcome\",\"counts\":[3,2,1,0,4],\"samples\":[],\"line\":10,"
        "\"skipping\":false,\"ended\":false,\"half\":0}\n",
        wire::Peer{.uid = 0, .known = true}, responder);
    REQUIRE(reader);
    reader->data(lines(1, 1));
    reader->end();
    rig.triggers.decide_all();
    REQUIRE(responder->answered);
    CHECK(responder->json()["new"] == 4);
    CHECK(responder->json()["bad"] == 4);
    CHECK(responder->json()["too_old"] == 0);
    CHECK(responder->json()["accepted"] == 7);
    CHECK(responder->json()["lines"] == 11);
}

TEST_CASE("feed: the time of an event reaches a trigger that has a limit of age") {
    test::ApiRig rig;
    rig.triggers.event_form = {.time = true};
    Feed feed(rig);
    feed.reader->data(R"({"number":"+33600000001","topic":"paris","time":"2026-01-01T00:00:00Z"})"
                      "\n"
                      R"({"number":"+33600000002","topic":"paris","time":1767225600})"
                      "\n"
                      R"({"number":"+33600000003","topic":"paris"})"
                      "\n");
    feed.reader->end();
    rig.triggers.decide_all();
    CHECK(rig.triggers.times == std::vector<std::string>{"2026-01-01T00:00:00Z", "1767225600", ""});
}

TEST_CASE("feed: no more than 20 bad lines are named, the first ones") {
    test::ApiRig rig;
    Feed feed(rig);
    std::string body;
    for (int i = 0; i < 100; ++i) {
        body += "bad\n";
    }
    feed.reader->data(body);
    feed.reader->end();
    CHECK(feed.answer()["bad"] == 100);
    REQUIRE(feed.answer()["samples"].size() == 20);
    CHECK(feed.answer()["samples"][19]["line"] == 20);
    CHECK(rig.done("GET", "/v1/triggers/welcome")->json()["events"]["bad"] == 100);
    CHECK(rig.done("GET", "/metrics")
              ->answer.body.contains(
                  "smsrack_trigger_events_total{trigger=\"welcome\",verdict=\"bad\"} 100"));
}

TEST_CASE("feed: a line above 64 KiB is bad, the next is taken") {
    test::ApiRig rig;
    Feed feed(rig);
    feed.reader->data(std::string(100'000, 'x'));
    feed.reader->data(std::string(100'000, 'x') + "\n" + line(2));
    feed.reader->end();
    rig.triggers.decide_all();
    CHECK(feed.answer()["bad"] == 1);
    CHECK(feed.answer()["new"] == 1);
}

TEST_CASE(
    "feed: a trigger that is not there is reported before the body is read, with those there are") {
    test::ApiRig rig;
    const Feed feed(rig, "nope");
    CHECK(feed.reader == nullptr);
    CHECK(feed.responder->answer.status == 404);
    CHECK(feed.answer()["detail"] == "no trigger is called nope; there is welcome");
}

TEST_CASE("feed: no body, no event") {
    test::ApiRig rig;
    const auto answer = rig.done("POST", "/v1/triggers/welcome/events");
    CHECK(answer->answer.status == 200);
    CHECK(answer->json()["accepted"] == 0);
}

TEST_CASE("feed: it is over once, and a body that ends afterwards changes nothing") {
    using enum api::FeedState;
    for (const api::FeedState state : {reading, ending, over}) {
        CAPTURE(static_cast<int>(state));
        const auto ended = next(api::feed_rules, state, api::FeedEvent::body_ended);
        const auto left = next(api::feed_rules, state, api::FeedEvent::left);
        CHECK(ended == (state == reading ? std::optional(ending) : std::nullopt));
        CHECK(left == (state == over ? std::nullopt : std::optional(over)));
    }
}
