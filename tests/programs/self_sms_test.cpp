// The rack sends a message to one of its own SIMs, and knows it again.
#include "tests/support/rack.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <vector>

namespace smsrack::test {

using namespace std::chrono_literals;

namespace {

std::vector<std::string> states(const Rack& rack) {
    std::vector<std::string> all;
    const auto page = rack.get("/v1/messages?batch=self-sms");
    for (const auto& message : page.at("messages")) {
        all.push_back(message.at("state"));
    }
    return all;
}

}  // namespace

TEST_CASE(
    "a self-SMS is out when the service is killed: the next one knows it, and no client hears of "
    "it") {
    Rack rack(
        {.modems = 2,
         .sim_options = {"--service-ms", "20", "--own-ms", "2000"},
         .config = "[priority]\nself_sms_s = 600\n",
         .modem_keys = {{0, "number = \"+33600000000\"\n"}, {1, "number = \"+33600000001\"\n"}}});
    // The first one comes half a minute after the start.
    REQUIRE(wait_for(60s, [&] { return !rack.submits().empty(); }));
    const Submit submit = rack.submits().front();
    CHECK(submit.to == (submit.modem == "0" ? "+33600000001" : "+33600000000"));
    rack.kill_service();
    rack.start_service();
    REQUIRE(wait_for(30s, [&] { return states(rack) == std::vector<std::string>{"delivered"}; }));
    CHECK(rack.inbox().empty());
    CHECK(rack.submits().size() == 1);
    const std::string metrics = rack.http("GET", "/metrics").body;
    CHECK(metrics.contains("smsrack_self_sms_total{outcome=\"received\"} 1\n"));
    CHECK(metrics.contains("smsrack_self_sms_seconds_count 1\n"));

    const std::string id =
        rack.get("/v1/messages?batch=self-sms").at("messages").at(0).at("id").get<std::string>();
    CHECK(rack.command({"explain", id}).output.contains("it came in at a SIM of the rack"));
    const Finished cancel = rack.command({"batch", "cancel", "self-sms"});
    CHECK(cancel.ending.code != 0);
    CHECK(cancel.output.contains("pause it"));
}

}  // namespace smsrack::test
