// Several boxes as one gateway: real services, real modem programs, a real PostgreSQL. More of it in all_fleet_test.cpp.
#include "tests/programs/support/fleet_rig.hpp"
#include "tests/support/read_file.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace smsrack;
using namespace smsrack::test;
using namespace std::chrono_literals;

namespace {

/// Inodes of the sockets that a process has open.
std::set<std::string> sockets_of(pid_t pid) {
    std::set<std::string> inodes;
    for (const auto& entry : std::filesystem::directory_iterator(fmt::format("/proc/{}/fd", pid))) {
        std::error_code gone;
        const std::string to = std::filesystem::read_symlink(entry.path(), gone).string();
        if (to.starts_with("socket:[")) {
            inodes.insert(to.substr(8, to.size() - 9));
        }
    }
    return inodes;
}

/// Of TCP, that listen, in /proc/net.
std::size_t listeners_of(pid_t pid) {
    const auto own = sockets_of(pid);
    std::size_t count = 0;
    for (const char* table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
        std::istringstream lines(read_file(table));
        std::string line;
        std::getline(lines, line);
        while (std::getline(lines, line)) {
            std::istringstream words(line);
            std::array<std::string, 10> word;
            for (std::string& one : word) {
                words >> one;
            }
            constexpr const char* listens = "0A";
            count += word[3] == listens && own.contains(word[9]) ? 1 : 0;
        }
    }
    return count;
}

}  // namespace

TEST_CASE(
    "fleet: what one box accepts is on two disks of the engine, and others send what it leaves") {
    // The first box keeps what it sends in ahead_s, and leaves the rest.
    FleetRig rig({.two_disks = true,
                  .cluster = "ahead_s = 30",
                  .sim_options = {"--service-ms", "800", "--report-ms", "20"}});
    constexpr std::size_t messages = 150;
    for (std::size_t n = 0; n < messages; ++n) {
        const wire::Json answer = rig.submit(0, {{"to", number_of(n)}, {"text", "hello"}});
        CHECK(answer.at("kept") == "cluster");
        CHECK(answer.at("state") == "elsewhere");
    }
    REQUIRE(wait_for(60s, [&] {
        const auto states = rig.box(0).states();
        return states.at("sent") + states.at("delivered") == messages;
    }));
    for (std::size_t n = 0; n < messages; ++n) {
        CHECK(rig.sent_to(number_of(n)) == 1);
    }
    for (std::size_t i = 0; i < rig.boxes(); ++i) {
        CHECK(listeners_of(rig.box(i).service().pid()) == 0);
    }
    // How the two share the rest is open: each asks for what it sends in ahead_s.
    CHECK(rig.box(0).submits().size() > 0);
    CHECK(rig.box(1).submits().size() + rig.box(2).submits().size() > 0);
    CHECK(rig.standing(0).at("kept") == "cluster");
    CHECK(rig.standing(0).at("boxes") == 3);
}

TEST_CASE("fleet: one ref at two boxes is one message, and another request with it is refused") {
    FleetRig rig({.boxes = 2});
    const wire::Json message{{"to", number_of(1)}, {"text", "once"}, {"ref", "r1"}};
    const auto first = rig.submit(0, message);
    const auto again = rig.submit(1, message);
    CHECK(first.at("id") == again.at("id"));
    const HttpAnswer other =
        rig.box(1).http("POST", "/v1/messages",
                        wire::Json{{"to", number_of(1)}, {"text", "other"}, {"ref", "r1"}}.dump());
    CHECK(other.status == 409);
    CHECK(other.body.contains("ref_conflict"));
    REQUIRE(rig.box(0).reaches(first.at("id"), "delivered"));
    CHECK(rig.sent_to(number_of(1)) == 1);
}

TEST_CASE("fleet: while the engine is away boxes accept and send, and it gets what is left later") {
    FleetRig rig({.boxes = 2, .cluster = "accept_wait_ms = 300\nalone_levels = [5, 6]"});
    rig.engine().kill_all();
    const auto sent = rig.submit(0, {{"to", number_of(1)}, {"text", "now"}, {"priority", 6}});
    const auto waits = rig.submit(1, {{"to", number_of(2)}, {"text", "later"}, {"priority", 2}});
    CHECK(sent.at("kept") == "here");
    CHECK(waits.at("kept") == "here");
    CHECK(rig.box(0).reaches(sent.at("id"), "delivered"));
    CHECK(rig.box(1).message(waits.at("id")).at("state") == "elsewhere");
    REQUIRE(wait_for(
        20s, [&] { return rig.box(1).http("GET", "/v1/status").body.contains("fleet_away"); }));
    CHECK(rig.box(1).http("GET", "/healthz").body.contains("degraded"));
    rig.engine().start();
    CHECK(rig.box(1).reaches(waits.at("id"), "delivered"));
    CHECK(rig.box(1).message(waits.at("id")).at("kept") == "one_disk");
    REQUIRE(
        wait_for(20s, [&] { return rig.box(0).message(sent.at("id")).at("kept") == "one_disk"; }));
    CHECK(rig.sent_to(number_of(1)) == 1);
    CHECK(rig.sent_to(number_of(2)) == 1);
}

TEST_CASE("fleet: what a person orders at one box, each box obeys within two seconds") {
    constexpr auto within = 2s;
    FleetRig rig({.boxes = 2, .cluster = "accept_wait_ms = 300"});
    const auto body = wire::Json{{"to", number_of(1)}, {"text", "x"}}.dump();
    const auto status_at = [&](std::size_t box) {
        return rig.box(box).http("POST", "/v1/messages", body).status;
    };
    SUBCASE("an opt-out, and its end") {
        const wire::Json kept = wire::Json::parse(
            rig.box(0)
                .http("POST", "/v1/optouts", wire::Json{{"number", number_of(1)}}.dump())
                .body);
        CHECK(kept.at("kept") == "one_disk");
        CHECK(wait_for(within, [&] { return status_at(1) == 403; }));
        CHECK(rig.box(1).command({"optout", "list"}).output.contains(number_of(1)));
        CHECK(rig.box(1).command({"optout", "remove", number_of(1)}).ending == Ending{0, 0});
        CHECK(wait_for(within, [&] { return status_at(0) == 202; }));
    }
    SUBCASE("a pause of all, and its end") {
        const Finished paused = rig.box(0).command({"pause"});
        CHECK(paused.output ==
              "the rack is paused: messages in flight are finished, no other is "
              "started\n");
        const auto is_paused = [&](std::size_t box) {
            return rig.box(box).http("GET", "/v1/status").body.contains("rack_paused");
        };
        CHECK(wait_for(within, [&] { return is_paused(1); }));
        const std::string id = rig.submit(1, {{"to", number_of(2)}, {"text", "x"}}).at("id");
        // It could be begun from here on: by the other box, if the first put was slow to be answered.
        const auto is_firm_at = [&](std::size_t box) {
            const HttpAnswer answer = rig.box(box).http("GET", "/v1/messages/" + id);
            const auto row =
                answer.status == 200 ? wire::Json::parse(answer.body) : wire::Json::object();
            return row.value("stage", "") == "firm" && row.value("state", "") == "queued";
        };
        REQUIRE(wait_for(20s, [&] { return is_firm_at(1) || is_firm_at(0); }));
        CHECK(rig.sent_to(number_of(2)) == 0);
        CHECK(rig.box(1).command({"resume"}).ending == Ending{0, 0});
        CHECK(wait_for(within, [&] { return !is_paused(0); }));
        CHECK(rig.box(1).reaches(id, "delivered"));
    }
    SUBCASE("a batch that is cancelled at a box that has none of it") {
        REQUIRE(rig.box(1).command({"pause"}).ending == Ending{0, 0});
        REQUIRE(wait_for(within, [&] {
            return rig.box(0).http("GET", "/v1/status").body.contains("rack_paused");
        }));
        const auto id =
            rig.submit(1, {{"to", number_of(3)}, {"text", "x"}, {"batch", "spring"}}).at("id");
        const Finished unknown = rig.box(0).command({"batch", "cancel", "spring"});
        CHECK(unknown.ending.code != 0);
        CHECK(unknown.output.contains("--create"));
        CHECK(rig.box(0).command({"batch", "cancel", "spring", "--create"}).ending == Ending{0, 0});
        CHECK(rig.box(1).reaches(id, "cancelled"));
        CHECK(rig.box(1).command({"resume"}).ending == Ending{0, 0});
        const auto refused = rig.box(1).http(
            "POST", "/v1/messages",
            wire::Json{{"to", number_of(3)}, {"text", "x"}, {"batch", "spring"}}.dump());
        CHECK(refused.status == 409);
        CHECK(rig.sent_to(number_of(3)) == 0);
    }
    SUBCASE("while the engine is away it holds at this box, and the others obey when it is back") {
        rig.engine().kill_all();
        const Finished told = rig.box(0).command({"optout", "add", number_of(1)});
        CHECK(told.output.contains("on this box"));
        CHECK(status_at(0) == 403);
        CHECK(status_at(1) == 202);
        rig.box(0).kill_service();
        rig.box(0).start_service();
        rig.engine().start();
        CHECK(wait_for(20s, [&] { return status_at(1) == 403; }));
    }
}

TEST_CASE("fleet: another box sends what a killed one accepted and had not made firm") {
    FleetRig rig({.boxes = 2, .modems = 1, .sim_options = {"--service-ms", "2000"}});
    // The first box pauses: it makes nothing of it firm beyond what it already has.
    REQUIRE(rig.box(0).command({"cluster", "drain", "b1", "--no-wait"}).ending == Ending{0, 0});
    REQUIRE(wait_for(10s, [&] { return rig.row_of(0).at("state") == "draining"; }));
    const auto answer = rig.submit(0, {{"to", number_of(1)}, {"text", "from a dead box"}});
    rig.box(0).kill_service();
    REQUIRE(wait_for(20s, [&] { return rig.sent_to(number_of(1)) == 1; }));
    CHECK(rig.box(1).submits_to(number_of(1)).size() == 1);
    rig.box(0).start_service();
    CHECK(wait_for(20s, [&] {
        const auto state = rig.box(0).message(answer.at("id")).at("state").get<std::string>();
        return state == "sent" || state == "delivered";
    }));
    CHECK(rig.sent_to(number_of(1)) == 1);
}

TEST_CASE("fleet: a message that waits for any box is cancelled once, and never sent") {
    FleetRig rig({.boxes = 1, .modems = 1});
    REQUIRE(rig.box(0).command({"cluster", "drain", "b1", "--no-wait"}).ending == Ending{0, 0});
    REQUIRE(wait_for(10s, [&] { return rig.row_of(0).at("state") == "draining"; }));
    const std::string id = rig.submit(0, {{"to", number_of(1)}, {"text", "x"}}).at("id");
    const HttpAnswer cancelled = rig.box(0).http("DELETE", "/v1/messages/" + id);
    CHECK(cancelled.status == 200);
    CHECK(cancelled.body.contains("cancelled"));
    CHECK(rig.box(0).command({"cluster", "resume", "b1"}).ending == Ending{0, 0});
    REQUIRE(wait_for(20s, [&] { return rig.row_of(0).at("state") == "running"; }));
    REQUIRE(rig.box(0).reaches(rig.submit(0, {{"to", number_of(2)}, {"text", "y"}}).at("id"),
                               "delivered"));
    CHECK(rig.sent_to(number_of(1)) == 0);
    CHECK(rig.box(0).message(id).at("state") == "cancelled");
}

TEST_CASE("fleet: a name belongs to the box whose key it has") {
    FleetRig rig({.boxes = 1});
    const Finished again = rig.join(0);
    CAPTURE(again.output);
    CHECK(again.ending == Ending{0, 0});
    const auto rights = [&](const char* name) {
        return std::filesystem::status(rig.box(0).state_dir() / name).permissions();
    };
    CHECK(rights("cluster") == std::filesystem::perms(0700));
    CHECK(rights("cluster/box.json") == std::filesystem::perms(0600));
    std::filesystem::remove(rig.box(0).state_dir() / "cluster" / "box.json");
    const Finished other = rig.join(0);
    CHECK(other.ending.code == 1);
    CHECK(other.output.contains("another box has the name b1"));
    const Finished check = rig.box(0).command({"cluster", "check"});
    CHECK(check.output.contains("synchronous_commit"));
    CHECK(check.ending.code == 1);  // this engine has one disk
    CHECK(rig.box(0).command({"cluster", "drain", "b9"}).output.contains("b9"));
}

TEST_CASE("fleet: one pair of number and topic at three boxes at once has one message") {
    FleetRig rig({.config = "[[trigger]]\nname = \"welcome\"\ntemplate = \"Hello {topic}\"\n"
                            "batch_s = 0\n"});
    constexpr std::size_t pairs = 60;
    std::string events;
    for (std::size_t n = 0; n < pairs; ++n) {
        events += fmt::format("{{\"number\":\"{}\",\"topic\":\"france\"}}\n", number_of(n));
    }
    std::vector<std::jthread> feeds;
    for (std::size_t i = 0; i < rig.boxes(); ++i) {
        feeds.emplace_back([&rig, &events, i] {
            (void)rig.box(i).http("POST", "/v1/triggers/welcome/events", events,
                                  "Content-Type: application/x-ndjson\r\n");
        });
    }
    feeds.clear();
    const auto sent_pairs = [&] {
        std::size_t sent = 0;
        for (std::size_t n = 0; n < pairs; ++n) {
            sent += rig.sent_to(number_of(n));
        }
        return sent;
    };
    REQUIRE(wait_for(60s, [&] { return sent_pairs() >= pairs; }));
    REQUIRE(wait_for(20s, [&] {
        std::int64_t waiting = 0;
        for (std::size_t i = 0; i < rig.boxes(); ++i) {
            const auto states = rig.box(i).states();
            waiting += states.at("elsewhere") + states.at("queued") + states.at("sending");
        }
        return waiting == 0;
    }));
    for (std::size_t n = 0; n < pairs; ++n) {
        CAPTURE(n);
        CHECK(rig.sent_to(number_of(n)) == 1);
    }
}

TEST_CASE("fleet: a SIM that is put into another box has there what its day has left") {
    FleetRig rig({.boxes = 2, .modems = 1, .modem_keys = "quota = { per_day = 3 }\n"});
    const auto fault = [&](std::size_t box, wire::Json order) {
        order["modem"] = 0;
        rig.box(box).simulate(order);
    };
    const auto modem = [&](std::size_t box) {
        return rig.box(box).get("/v1/modems").at("modems").at(0);
    };
    const auto drain = [&](std::size_t box, std::vector<std::string> order) {
        order.insert(order.begin(), "cluster");
        order.insert(order.begin() + 2, FleetRig::name_of(box));
        REQUIRE(rig.box(0).command(order).ending == Ending{0, 0});
    };
    drain(1, {"drain", "--no-wait"});
    for (const std::size_t n : {1UL, 2UL}) {
        const auto sent = rig.submit(0, {{"to", number_of(n)}, {"text", "x"}});
        REQUIRE(rig.box(0).reaches(sent.at("id"), "delivered"));
    }
    const std::string iccid = modem(0).at("iccid");
    CHECK(modem(0).at("quota_left").at("day") == 1);

    fault(0, {{"do", "sim_removed"}});
    fault(1, {{"do", "sim_swapped"}, {"card", 0}});
    REQUIRE(wait_for(
        30s, [&] { return modem(1).at("iccid") == iccid && modem(1).at("link") == "active"; }));
    CHECK(modem(1).at("quota_left").at("day") == 1);
    drain(0, {"drain", "--no-wait"});
    drain(1, {"resume"});
    for (const std::size_t n : {3UL, 4UL}) {
        (void)rig.submit(1, {{"to", number_of(n)}, {"text", "x"}});
    }
    REQUIRE(wait_for(20s, [&] { return rig.sent_to(number_of(3)) == 1; }));
    CHECK(modem(1).at("quota_left").at("day") == 0);

    // A card with the same ICCID is in the first box, too.
    fault(0, {{"do", "sim_inserted"}});
    REQUIRE(wait_for(30s, [&] { return modem(0).at("reason") == "sim_elsewhere"; }));
    CHECK(modem(0).at("detail") == "box b2 has a SIM with the same ICCID");
    CHECK(rig.box(0).http("GET", "/v1/status").body.contains("two boxes have a SIM"));
    CHECK(rig.sent_to(number_of(4)) == 0);
}

TEST_CASE("fleet: a person at one box sees the messages and the inbox of another one") {
    FleetRig rig({.boxes = 2});
    const std::string id = rig.submit(1, {{"to", number_of(1)}, {"text", "of b2"}}).at("id");
    REQUIRE(rig.box(1).reaches(id, "delivered"));
    Rack& own = rig.box(0);
    const HttpAnswer list = own.http("GET", "/v1/messages?box=b2&text=true");
    REQUIRE(list.status == 200);
    CHECK(list.body == rig.box(1).http("GET", "/v1/messages?text=true").body);
    CHECK(list.body.contains("of b2"));
    CHECK(own.http("GET", "/v1/messages/" + id + "?box=b2").status == 200);
    CHECK(own.http("GET", "/v1/inbox?box=b2").status == 200);
    CHECK(own.http("GET", "/v1/messages?box=b2&state=perhaps").status == 400);
    CHECK(own.http("GET", "/v1/messages?box=b9").status == 404);
    const Finished shown = own.command({"show", id, "--box", "b2"});
    CHECK(shown.ending == Ending{0, 0});
    CHECK(shown.output.contains("delivered"));
    CHECK(own.command({"messages", "--box", "b2"}).output.contains(number_of(1)));
    CHECK(own.command({"inbox", "--box", "b2"}).output.contains("The inbox is empty."));
    rig.box(1).kill_service();
    REQUIRE(wait_for(20s, [&] { return rig.row_of(1).at("state") == "silent"; }));
    CHECK(own.http("GET", "/v1/messages?box=b2").status == 409);
    CHECK(own.command({"explain", id, "--box", "b2"}).output.contains("b2 does not run"));
}
