// An operator looks after messages and asks afterwards what was done, with the real programs.
#include "tests/support/rack.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>
#include <vector>

namespace smsrack::test {
namespace {

using namespace std::chrono_literals;

std::string output_of(const Rack& rack, std::vector<std::string> words) {
    const Finished finished = rack.command(std::move(words));
    REQUIRE_MESSAGE(finished.ending.code == 0, finished.output);
    return finished.output;
}

}  // namespace

TEST_CASE(
    "a message that failed for good is sent again as a new one, which follows in the events") {
    const Rack rack({.modems = 1});
    rack.simulate({{"do", "cms_error"}, {"modem", 0}, {"code", 28}, {"count", 1}});
    const std::string id = rack.submit({{"to", "+33600000401"}, {"text", "the lift is repaired"}});
    REQUIRE(rack.reaches(id, "failed"));

    const std::string said = output_of(rack, {"again", id});
    const std::string copy = said.substr(0, said.find(' '));
    CHECK(copy != id);
    REQUIRE(rack.reaches(copy, "delivered"));
    const auto message = rack.message(copy);
    CHECK(message.at("to") == "+33600000401");
    CHECK(message.at("text") == "the lift is repaired");
    CHECK(message.at("ref") == "again-" + id + "-1");

    const Finished refused = rack.command({"again", copy});
    CHECK(refused.ending.code == 1);
    CHECK(refused.output.contains("allow_duplicate"));
    const std::string twice = output_of(rack, {"again", copy, "--allow-duplicate"});
    REQUIRE(rack.reaches(twice.substr(0, twice.find(' ')), "delivered"));
    CHECK(rack.submits_to("+33600000401").size() == 2);

    const Finished events = run(
        {.words = {"/usr/bin/curl", "-sN", "--max-time", "2", "--unix-socket", rack.socket(), "-H",
                   "Last-Event-ID: 0", "http://localhost/v1/events?types=message.failed"}});
    CHECK(events.output.contains(R"("id":")" + id + R"(","to":"+33600000401","state":"failed")"));
}

TEST_CASE("an answer and its message are found by a part of them, and are one conversation") {
    const Rack rack({.modems = 1});
    const std::string asked =
        rack.submit({{"to", "+33600000403"}, {"text", "Is the LIFT repaired?"}});
    (void)rack.submit({{"to", "+33600000404"}, {"text", "another one"}});
    REQUIRE(rack.reaches(asked, "delivered"));
    rack.simulate({{"do", "inbound"}, {"from", "+33600000403"}, {"text", "Yes, the lift runs"}});
    REQUIRE(wait_for(20s, [&] { return rack.inbox().size() == 1; }));
    const std::string thanks = rack.submit({{"to", "+33600000403"}, {"text", "thanks"}});

    CHECK(output_of(rack, {"messages", "--text", "lift"}).contains("+33600000403"));
    CHECK(output_of(rack, {"messages", "--number", "00404"}).contains("+33600000404"));
    CHECK(output_of(rack, {"messages", "--number", "777"}) == "No messages.\n");
    CHECK(output_of(rack, {"inbox", "--from", "0403", "--text", "RUNS"}).contains("the lift runs"));

    const auto all = rack.get("/v1/conversations").at("conversations");
    REQUIRE(all.size() == 1);
    CHECK(all[0].at("number") == "+33600000403");
    CHECK(all[0].at("sent") == 2);
    CHECK(all[0].at("received") == 1);
    CHECK(all[0].at("last").at("id") == thanks);
    const auto said = rack.get("/v1/conversations/%2B33600000403").at("messages");
    REQUIRE(said.size() == 3);
    CHECK(said[0].at("text") == "thanks");
    CHECK(said[1].at("text") == "Yes, the lift runs");
    CHECK(said[1].at("direction") == "received");
    CHECK(said[2].at("id") == asked);
}

TEST_CASE("what an administrator changed is in the audit, over a stop, an upgrade and a restart") {
    Rack rack({.modems = 1});
    output_of(rack, {"pause"});
    output_of(rack, {"resume"});
    output_of(rack, {"optout", "add", "+33600000402"});
    output_of(rack, {"optout", "remove", "+33600000402"});
    CHECK(rack.command({"modem", "resume", "m7"}).ending.code == 1);
    CHECK(rack.stop_service().code == 0);
    rack.start_service();
    const auto upgraded =
        wire::parse_json(output_of(rack, {"--json", "upgrade", rack.program("smsrackd")}));
    (void)rack.follow_service(upgraded.value().at("pid"));

    const auto calls = [&] {
        std::vector<std::string> found;
        const wire::Json audit = rack.get("/v1/audit");
        for (const auto& row : audit.at("audit")) {
            found.push_back(row.at("call").get<std::string>() + " " +
                            std::to_string(row.at("status").get<int>()));
        }
        std::ranges::reverse(found);
        return found;
    };
    const std::vector<std::string> expected{"POST /v1/pause 200",
                                            "POST /v1/resume 200",
                                            "POST /v1/optouts 200",
                                            "DELETE /v1/optouts/+336*****402 200",
                                            "POST /v1/modems/m7/resume 404",
                                            "POST /v1/upgrade 200"};
    (void)wait_for(10s, [&] { return calls() == expected; });
    CHECK(fmt::format("{}", fmt::join(calls(), ", ")) ==
          fmt::format("{}", fmt::join(expected, ", ")));
    CHECK(output_of(rack, {"audit", "--since", "1h"}).contains("POST /v1/modems/m7/resume"));
}

}  // namespace smsrack::test
