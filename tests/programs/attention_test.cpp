// What needs a person: one sick modem among others, as each list, `smsrack attention` and the monitoring plugin see it, until it is well.
#include "tests/support/rack.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <string>
#include <string_view>

namespace smsrack::test {
namespace {

using namespace std::chrono_literals;

constexpr auto seen_within = 60s;  // the machine may be busy

/// The entry of /v1/attention with this code; null: there is none.
wire::Json attention_of(const Rack& rack, std::string_view code) {
    const wire::Json answer = rack.get("/v1/attention");
    for (const wire::Json& one : answer.at("attention")) {
        if (one.at("code") == code) {
            return one;
        }
    }
    return {};
}

Finished check(const Rack& rack, std::string_view limit = "2") {
    return rack.command({"check", "--waiting", "100", "--modems", std::string(limit) + ",1"});
}

}  // namespace

TEST_CASE(
    "attention: a modem without SIM is known everywhere, since the same time, until it is well") {
    Rack rack({.modems = 2});
    CHECK(rack.get("/v1/attention").at("total") == 0);
    const Finished well = check(rack);
    CAPTURE(well.output);
    CHECK(well.ending.code == 0);
    CHECK(
        well.output.starts_with("SMSRACK OK - 2 of 2 modems take work, 0 wait | waiting=0;;100;0"));

    rack.simulate({{"do", "sim_removed"}, {"modem", 1}});
    REQUIRE(wait_for(seen_within, [&] { return attention_of(rack, "modem_sim").is_object(); }));
    const wire::Json seen = attention_of(rack, "modem_sim");
    CAPTURE(seen.dump());
    CHECK(seen.at("severity") == "warning");
    CHECK(seen.at("stops") == "modem");
    CHECK(seen.at("object").at("kind") == "modem");
    CHECK(seen.at("object").at("name") == "m1");
    CHECK(seen.at("cause").get<std::string>().starts_with("modem m1: "));
    CHECK(seen.at("advice").get<std::string>().contains("insert the SIM"));

    // The rack sends, so it is ready; each list has the cause.
    const HttpAnswer ready = rack.http("GET", "/readyz");
    CHECK(ready.status == 200);
    CHECK(ready.json().at("conditions").at(0).at("subject") == "modem m1");
    CHECK(rack.get("/healthz").at("status") == "degraded");
    CHECK(rack.http("GET", "/metrics")
              .body.contains("smsrack_condition{condition=\"modem_sim\",subject=\"modem m1\","));
    const Finished doctor = rack.command({"doctor", "--config", rack.config_file()});
    CHECK(doctor.output.contains("m1"));
    CHECK(doctor.output.contains("sim_absent"));
    CHECK(doctor.output.contains(seen.at("advice").get<std::string>()));
    CHECK(rack.command({"status"}).output.contains("modem_sim"));
    const Finished listed = rack.command({"attention"});
    CHECK(listed.ending.code == 0);
    CHECK(listed.output.contains("modem m1"));
    CHECK(listed.output.contains("insert the SIM"));
    const Finished warned = check(rack);
    CAPTURE(warned.output);
    CHECK(warned.ending.code == 1);
    CHECK(
        warned.output.starts_with("SMSRACK WARNING - 1 of 2 modems take work, 0 wait; modem m1: "));

    SUBCASE("a reload does not make it younger") {
        std::ofstream(rack.config_file(), std::ios::app) << "quota_warn_percent = 70\n";
        REQUIRE(rack.command({"reload"}).ending.code == 0);
        REQUIRE(wait_for(seen_within, [&] { return attention_of(rack, "modem_sim").is_object(); }));
        CHECK(attention_of(rack, "modem_sim").at("since") == seen.at("since"));
    }
    SUBCASE("nor does an upgrade") {
        const Finished done = rack.command({"--json", "upgrade", program("smsrackd")});
        CAPTURE(done.output);
        REQUIRE(done.ending.code == 0);
        const auto report = wire::parse_json(done.output).value();
        CHECK(rack.follow_service(report.at("pid").get<pid_t>()) == Ending{0, 0});
        REQUIRE(wait_for(seen_within, [&] { return attention_of(rack, "modem_sim").is_object(); }));
        CHECK(attention_of(rack, "modem_sim").at("since") == seen.at("since"));
    }
    rack.simulate({{"do", "sim_inserted"}, {"modem", 1}});
    CHECK(wait_for(seen_within, [&] { return check(rack).ending.code == 0; }));
    CHECK(rack.get("/v1/attention").at("total") == 0);
}

TEST_CASE(
    "attention: without a modem that sends, and without the service, the plugin is critical") {
    Rack rack({.modems = 2});
    for (int modem : {0, 1}) {
        rack.simulate({{"do", "sim_removed"}, {"modem", modem}});
    }
    REQUIRE(wait_for(seen_within, [&] { return rack.get("/v1/attention").at("total") == 3; }));
    const wire::Json worst = rack.get("/v1/attention?limit=1").at("attention").at(0);
    CHECK(worst.at("code") == "no_usable_sim");
    CHECK(worst.at("severity") == "critical");
    CHECK(worst.at("object").at("kind") == "rack");
    CHECK(worst.at("advice").get<std::string>().starts_with("insert the SIM"));
    const Finished critical = check(rack);
    CAPTURE(critical.output);
    CHECK(critical.ending.code == 2);
    CHECK(critical.output.starts_with("SMSRACK CRITICAL - 0 of 2 modems take work"));
    rack.kill_service();
    const Finished away = check(rack);
    CAPTURE(away.output);
    CHECK(away.ending.code == 2);
    CHECK(away.output.starts_with("SMSRACK CRITICAL - "));
}

}  // namespace smsrack::test
