// The machine, the configuration, the log and the doctor's list, as the API shows them.
#include "tests/src/api/api_rig.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;
using namespace std::chrono_literals;

TEST_CASE("GET /v1/box: versions, slots, disk, clock, memory and how long it runs") {
    test::ApiRig rig;
    const auto bare = rig.done("GET", "/v1/box")->json();
    CHECK(bare["slots"].is_null());
    CHECK(bare["disk"]["free_bytes"].is_null());
    CHECK(bare["memory"]["total_bytes"].is_null());
    rig.box.box_facts = {
        .schema = 18,
        .slots = {{.name = "A", .version = "2.1.0", .booted = true}, {.name = "B"}},
        .state_dir = "/var/lib/smsrack",
        .disk = ports::DiskRoom{.free = 5, .whole = 10},
        .clock_waits = true,
        .up = 90s,
        .memory_total = 1'000,
        .memory_available = 400,
        .memory_own = 30};
    rig.clock.advance(61s);
    const auto box = rig.done("GET", "/v1/box")->json();
    CHECK(box["version"] == "1.2.3");
    CHECK(box["schema"] == 18);
    CHECK(box["slots"][0]["slot"] == "A");
    CHECK(box["slots"][0]["version"] == "2.1.0");
    CHECK(box["slots"][0]["booted"] == true);
    CHECK(box["slots"][1]["version"].is_null());
    CHECK(box["disk"]["folder"] == "/var/lib/smsrack");
    CHECK(box["disk"]["free_bytes"] == 5);
    CHECK(box["disk"]["total_bytes"] == 10);
    CHECK(box["clock"]["believed"] == false);
    CHECK(box["uptime_s"] == 61);
    CHECK(box["machine_uptime_s"] == 90);
    CHECK(box["memory"]["available_bytes"] == 400);
    CHECK(box["memory"]["service_bytes"] == 30);
    CHECK(rig.done("GET", "/v1/box?x=1")->answer.status == 400);
    CHECK(rig.done_by(rig.sender, "GET", "/v1/box")->answer.status == 403);
}

TEST_CASE("GET /v1/config: the file and what counts") {
    test::ApiRig rig;
    rig.box.toml = "[service]\nstate_dir = \"/var/lib/smsrack\"\n";
    const auto config = rig.done("GET", "/v1/config")->json();
    CHECK(config["file"] == "/etc/smsrack.toml");
    CHECK(config["toml"] == rig.box.toml);
}

TEST_CASE("GET /v1/log: the last lines, newest first, page by page") {
    test::ApiRig rig;
    rig.box.lines = {
        {.number = 3, .level = LogLevel::error, .event = "late", .fields = "what=loop"},
        {.number = 2, .level = LogLevel::info, .event = "ready"},
        {.number = 1, .level = LogLevel::info, .event = "listening"}};
    const auto first = rig.done("GET", "/v1/log?limit=2")->json();
    REQUIRE(first["log"].size() == 2);
    CHECK(first["log"][0]["id"] == "3");
    CHECK(first["log"][0]["level"] == "error");
    CHECK(first["log"][0]["event"] == "late");
    CHECK(first["log"][0]["fields"] == "what=loop");
    CHECK(first["next"] == "2");
    const auto rest = rig.done("GET", "/v1/log?cursor=2")->json();
    REQUIRE(rest["log"].size() == 1);
    CHECK(rest["log"][0]["event"] == "listening");
    CHECK(rest["next"].is_null());
}

TEST_CASE("GET /v1/doctor: what is well, each condition, and each modem once") {
    test::ApiRig rig;
    rig.box.box_facts.disk = ports::DiskRoom{.free = 5UL << 30U, .whole = 10UL << 30U};
    ports::LineView sends{.name = "m0", .port = "/dev/ttyUSB0", .operator_name = "Orange"};
    sends.link = ports::LinkState::active;
    sends.signal_dbm = -71;
    ports::LineView silent{.name = "m1", .reason = "no_answer"};
    ports::LineView starts{.name = "m2", .reason = "denied", .detail = "the network refuses it"};
    rig.rack.line_views = {sends, silent, starts};
    const auto well = [&] { return rig.done("GET", "/v1/doctor")->json(); };
    CHECK(well()["ok"] == false);
    rig.rack.rack_status.conditions = {{.kind = ports::ConditionKind::modem_silent,
                                        .subject = "modem m1",
                                        .text = "it does not answer",
                                        .advice = "see to its cable",
                                        .since = WallTime{1'800'000'000'000ms}}};
    const auto list = well()["findings"];
    std::map<std::string, wire::Json> by_subject;
    for (const auto& one : list) {
        CHECK(by_subject.emplace(one["subject"].get<std::string>(), one).second);
    }
    for (const char* const subject : {"service", "disk", "clock", "configuration", "m0"}) {
        CAPTURE(subject);
        CHECK(by_subject.at(subject)["ok"] == true);
        CHECK(by_subject.at(subject)["problem"].is_null());
    }
    CHECK(by_subject.at("m0")["text"] == "active on /dev/ttyUSB0, Orange, -71 dBm");
    CHECK(by_subject.at("m1")["problem"] == "modem_silent");
    CHECK(by_subject.at("m1")["text"] == "it does not answer (since 2027-01-15T08:00:00.000Z)");
    CHECK(by_subject.at("m1")["advice"] == "see to its cable");
    CHECK(by_subject.at("m2")["problem"] == "denied");
    CHECK(by_subject.at("m2")["text"] == "the network refuses it");
    rig.rack.rack_status.conditions.clear();
    rig.rack.line_views = {sends};
    CHECK(well()["ok"] == true);
    rig.rack.rack_status.conditions = {
        {.kind = ports::ConditionKind::disk_full, .subject = "disk", .text = "full"}};
    CHECK(well()["findings"].size() == 5);  // the disk once
}
