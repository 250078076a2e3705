// The main job, whole: messages go out and are delivered, messages come in and are kept.
#include "tests/support/rack.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

namespace smsrack::test {

using namespace std::chrono_literals;

namespace {

std::string repeat(const std::string& text, int times) {
    std::string all;
    for (int n = 0; n < times; ++n) {
        all += text;
    }
    return all;
}

}  // namespace

TEST_CASE("a message is accepted, sent once and delivered, whatever its alphabet and length") {
    const Rack rack({});
    struct Case {
        const char* what;
        const char* to;
        std::string text;
        std::size_t segments;
    };
    const std::vector<Case> cases = {
        {"one segment of GSM 7-bit", "+33600000001", "Your parcel is ready.", 1},
        {"exactly full", "+33600000002", std::string(160, 'a'), 1},
        {"one character more", "+33600000003", std::string(161, 'a'), 2},
        {"the extension table", "+33600000004", repeat("[€] ", 50), 3},
        {"UCS-2", "+33600000005", "Привет", 1},
        {"UCS-2 with surrogate pairs over a border", "+33600000006", repeat("🚀", 40), 2},
    };
    std::vector<std::string> ids;
    for (const Case& one : cases) {
        ids.push_back(rack.submit({{"to", one.to}, {"text", one.text}}));
    }
    for (std::size_t n = 0; n < cases.size(); ++n) {
        CAPTURE(cases[n].what);
        CHECK(rack.reaches(ids[n], "delivered"));
        CHECK(rack.submits_to(cases[n].to).size() == cases[n].segments);
    }
}

TEST_CASE("the history of a message tells each state once, in order") {
    const Rack rack({.modems = 1});
    const auto id = rack.submit({{"to", "+33600000010"}, {"text", "history"}});
    REQUIRE(rack.reaches(id, "delivered"));
    std::vector<std::string> states;
    const auto message = rack.message(id);
    for (const auto& entry : message.at("history")) {
        states.push_back(entry.at("state"));
    }
    CHECK(states == std::vector<std::string>{"queued", "sending", "sent", "delivered"});
}

TEST_CASE("a message without a report ends as sent") {
    const Rack rack({.modems = 1});
    const auto id = rack.submit({{"to", "+33600000011"}, {"text", "no report"}, {"report", false}});
    CHECK(rack.reaches(id, "sent"));
}

TEST_CASE("what modems receive is in the inbox once each, long messages as one") {
    const Rack rack({.modems = 4});
    const std::string text = repeat("A long answer that needs more than one segment. ", 7);
    rack.simulate({{"do", "inbound"}, {"count", 20}, {"text", "short answer {id}"}});
    rack.simulate({{"do", "inbound"}, {"count", 5}, {"text", text + "{id}"}});
    REQUIRE(wait_for(20s, [&] { return rack.inbox().size() >= 25; }));
    std::set<std::string> texts;
    std::size_t of_long = 0;
    for (const auto& row : rack.inbox()) {
        texts.insert(row.at("text").get<std::string>());
        of_long += row.at("text").get<std::string>().starts_with(text) ? 1 : 0;
    }
    CHECK(texts.size() == 25);
    CHECK(of_long == 5);
}

TEST_CASE("many messages spread over all modems") {
    const Rack rack({.modems = 4});
    std::string lines;
    for (int n = 0; n < 100; ++n) {
        lines += wire::Json{{"to", "+336000001" + std::to_string(10 + n % 90)},
                            {"text", "n" + std::to_string(n)}}
                     .dump() +
                 "\n";
    }
    const auto answer =
        rack.http("POST", "/v1/messages", lines, "Content-Type: application/x-ndjson\r\n");
    REQUIRE(answer.status == 200);
    REQUIRE(wait_for(30s, [&] { return rack.states()["delivered"] == 100; }));
    std::set<std::string> modems;
    for (const Submit& submit : rack.submits()) {
        modems.insert(submit.modem);
    }
    CHECK(modems.size() == 4);
    CHECK(rack.submits().size() == 100);
}

}  // namespace smsrack::test
