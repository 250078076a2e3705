// GET /v1/attention, and how long the oldest message waits.
#include "tests/src/api/api_rig.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

ports::Condition silent_modem(int number) {
    return {.kind = ports::ConditionKind::modem_silent,
            .subject = "modem m" + std::to_string(number),
            .text = "it does not answer",
            .advice = "see to its cable",
            .stops = ports::Stops::modem,
            .since = WallTime{1'800'000'000'000ms}};
}

}  // namespace

TEST_CASE("GET /v1/attention: what needs a person, with its cause, its begin and what to do") {
    test::ApiRig rig;
    const auto none = rig.done("GET", "/v1/attention")->json();
    CHECK(none["attention"].empty());
    CHECK(none["total"] == 0);
    rig.rack.rack_status.conditions = {{.kind = ports::ConditionKind::disk_full,
                                        .subject = "disk",
                                        .text = "the disk is full",
                                        .advice = "make room",
                                        .stops = ports::Stops::all},
                                       silent_modem(0)};
    const auto all = rig.done("GET", "/v1/attention")->json();
    REQUIRE(all["attention"].size() == 2);
    CHECK(all["total"] == 2);
    const auto& worst = all["attention"][0];
    CHECK(worst["code"] == "disk_full");
    CHECK(worst["severity"] == "critical");
    CHECK(worst["stops"] == "all");
    CHECK(worst["object"]["kind"] == "disk");
    CHECK(worst["object"]["name"].is_null());
    const auto& modem = all["attention"][1];
    CHECK(modem["code"] == "modem_silent");
    CHECK(modem["severity"] == "warning");
    CHECK(modem["object"]["kind"] == "modem");
    CHECK(modem["object"]["name"] == "m0");
    CHECK(modem["cause"] == "it does not answer");
    CHECK(modem["advice"] == "see to its cable");
    CHECK(modem["since"] == "2027-01-15T08:00:00.000Z");
    // The other lists say the same.
    CHECK(rig.done("GET", "/v1/status")->json()["conditions"][1]["condition"] == "modem_silent");
    CHECK(rig.done("GET", "/v1/status")->json()["conditions"][1]["severity"] == "warning");
}

TEST_CASE("GET /v1/attention: at most `limit`, the worst first, and how many there are") {
    test::ApiRig rig;
    for (int i = 0; i < 5; ++i) {
        rig.rack.rack_status.conditions.push_back(silent_modem(i));
    }
    const auto two = rig.done("GET", "/v1/attention?limit=2")->json();
    REQUIRE(two["attention"].size() == 2);
    CHECK(two["attention"][1]["object"]["name"] == "m1");
    CHECK(two["total"] == 5);
    CHECK(rig.done("GET", "/v1/attention?limit=0")->answer.status == 400);
    CHECK(rig.done("GET", "/v1/attention?since=x")->answer.status == 400);
}

TEST_CASE("status and metrics: how long the message has waited that waits longest") {
    test::ApiRig rig;
    CHECK(rig.done("GET", "/v1/status")->json()["oldest_waiting_s"].is_null());
    CHECK(rig.done("GET", "/metrics")->answer.body.contains("smsrack_oldest_waiting_seconds 0\n"));
    rig.store.reader.oldest_waiting = rig.clock.wall() - 90s;
    CHECK(rig.done("GET", "/v1/status")->json()["oldest_waiting_s"] == 90);
    CHECK(rig.done("GET", "/metrics")->answer.body.contains("smsrack_oldest_waiting_seconds 90\n"));
    rig.store.reader.oldest_waiting = rig.clock.wall() + 90s;  // the clock was set back
    CHECK(rig.done("GET", "/v1/status")->json()["oldest_waiting_s"] == 0);
}
