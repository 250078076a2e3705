// An administrator asks what became of a message.
#include "tests/support/rack.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <string>

namespace smsrack::test {

using namespace std::chrono_literals;

TEST_CASE("explain tells the story of a message that failed twice and went out on the third line") {
    const Rack rack({.modems = 3, .config = "[queue]\nretry_base_s = 1\nretry_limit = 5\n"});
    const auto link = [&](const char* modem) {
        return rack.get("/v1/modems/" + std::string(modem)).at("link");
    };
    // The third line comes back when the first two have failed; these rest after a fault of the SIM.
    rack.simulate({{"do", "network_lost"}, {"modem", 2}});
    REQUIRE(wait_for(20s, [&] { return link("m2") != "active"; }));
    for (const int modem : {0, 1}) {
        rack.simulate({{"do", "cms_error"}, {"modem", modem}, {"code", 313}, {"count", 1}});
    }
    const auto id = rack.submit({{"to", "+33600000301"}, {"text", "third time lucky"}});
    REQUIRE(wait_for(20s, [&] {
        const auto attempts = rack.message(id).at("attempts");
        return attempts.size() == 2 && attempts.at(1).at("outcome") == "refused";
    }));
    rack.simulate({{"do", "network_back"}, {"modem", 2}});
    REQUIRE(rack.reaches(id, "delivered"));

    const auto explained =
        run({.words = {program("smsrack"), "--socket", rack.socket(), "explain", id}});
    CAPTURE(explained.output);
    CHECK(explained.ending.code == 0);
    std::size_t at = 0;
    for (const char* part :
         {"is delivered.", "Accepted: a text of 1 segment to +33600000301", "group default",
          "Attempt 1, by m", "refused with +CMS ERROR 313: SIM failure.",
          "The modem or its SIM is at fault: the modem rests, and another one takes the message.",
          "What to do: ", "Attempt 2, by m", "another modem than before", "+CMS ERROR 313",
          "What to do: ", "Attempt 3, by m2 (another modem than before",
          "The network took it after", "it was delivered", "What happens next",
          "the message is finished"}) {
        CAPTURE(part);
        const std::size_t found = explained.output.find(part, at);
        CHECK(found != std::string::npos);
        at = found == std::string::npos ? at : found;
    }
    const auto story = rack.get("/v1/messages/" + id + "/explain");
    CHECK(story.at("state") == "delivered");
    CHECK(story.at("story").size() >= 5);
    CHECK(rack.http("GET", "/v1/messages/999999/explain").status == 404);
}

}  // namespace smsrack::test
