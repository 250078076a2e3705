// More of a fleet than fleet_test.cpp, which takes minutes: what a person orders, an engine from a backup, and programs that switch boxes.
#include "tests/programs/support/fleet_rig.hpp"
#include "tests/programs/support/wake_unit.hpp"
#include "tests/support/read_file.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

using namespace smsrack;
using namespace smsrack::test;
using namespace std::chrono_literals;

TEST_CASE("fleet: after the engine was restored from a backup no message is lost, or sent again") {
    FleetRig rig({.boxes = 2, .sim_options = {"--service-ms", "100", "--report-ms", "20"}});
    std::vector<std::string> ids;
    const auto submit = [&](std::size_t count) {
        for (; count > 0; --count) {
            ids.push_back(rig.submit(ids.size() % 2, {{"to", number_of(ids.size())}, {"text", "x"}})
                              .at("id"));
        }
    };
    const auto all_sent = [&] {
        for (std::size_t n = 0; n < ids.size(); ++n) {
            if (rig.box(n % 2).message(ids[n]).at("state") != "delivered") {
                return false;
            }
        }
        return true;
    };
    submit(40);
    rig.engine().back_up();
    submit(40);
    REQUIRE(wait_for(60s, all_sent));
    submit(40);
    rig.engine().restore();
    const auto has_condition = [&](const char* kind) {
        return rig.box(0).http("GET", "/v1/status").body.contains(kind);
    };
    REQUIRE(wait_for(20s, [&] { return has_condition("fleet_forgot"); }));
    REQUIRE(wait_for(20s, [&] {
        return rig.box(1).command({"cluster", "show"}).output.contains("closed");
    }));
    CHECK(rig.box(0).command({"cluster", "rebuild"}).ending.code != 0);  // no person, no --sure
    // What it has in flight as it is killed would be in doubt.
    REQUIRE(wait_for(30s, [&] {
        const auto states = rig.box(1).states();
        return states.at("queued") + states.at("sending") == 0;
    }));
    rig.box(1).kill_service();
    const Finished ordered = rig.box(0).command({"cluster", "rebuild", "--sure", "--no-wait"});
    CAPTURE(ordered.output);
    CHECK(ordered.ending == Ending{0, 0});
    REQUIRE(wait_for(20s, [&] { return has_condition("fleet_returning"); }));
    REQUIRE(wait_for(20s, [&] { return has_condition("it waits for b2"); }));
    submit(1);  // at the first box
    rig.box(1).start_service();
    REQUIRE(rig.is_seated(0));
    REQUIRE(rig.is_seated(1));
    REQUIRE(wait_for(60s, all_sent));
    const Finished again = rig.box(1).command({"cluster", "rebuild", "--sure"}, 60s);
    CAPTURE(again.output);
    CHECK(again.ending == Ending{0, 0});
    CHECK(again.output.contains("take work again"));
    for (std::size_t n = 0; n < ids.size(); ++n) {
        CAPTURE(n);
        CHECK(rig.sent_to(number_of(n)) == 1);
    }
}

TEST_CASE("fleet: a box that refuses clients while the engine is away says so") {
    FleetRig rig({.boxes = 1, .cluster = "accept_wait_ms = 300\nalone = \"refuse\""});
    rig.engine().kill_all();
    REQUIRE(wait_for(20s, [&] {
        const HttpAnswer answer = rig.box(0).http(
            "POST", "/v1/messages", wire::Json{{"to", number_of(1)}, {"text", "x"}}.dump());
        return answer.status == 503 && answer.body.contains("cluster_away");
    }));
}

TEST_CASE("fleet: a box that drains gives back what it has not begun, and takes work again") {
    FleetRig rig({.boxes = 2, .modems = 1, .sim_options = {"--service-ms", "1000"}});
    std::vector<std::string> ids;
    for (std::size_t n = 0; n < 30; ++n) {
        ids.push_back(rig.submit(0, {{"to", number_of(n)}, {"text", "x"}}).at("id"));
    }
    const Finished drained = rig.box(0).command({"cluster", "drain", "b1"}, 60s);
    CAPTURE(drained.output);
    CHECK(drained.ending == Ending{0, 0});
    CHECK(rig.box(0).command({"cluster", "boxes"}).output.contains("draining"));
    REQUIRE(wait_for(60s, [&] {
        return std::ranges::all_of(ids, [&](const std::string& id) {
            const auto state = rig.box(0).message(id).at("state").get<std::string>();
            return state == "sent" || state == "delivered";
        });
    }));
    for (std::size_t n = 0; n < ids.size(); ++n) {
        CHECK(rig.sent_to(number_of(n)) == 1);
    }
    CHECK(rig.box(0).command({"cluster", "resume", "b1"}).ending == Ending{0, 0});
    REQUIRE(wait_for(20s, [&] { return rig.row_of(0).at("state") == "running"; }));
}

TEST_CASE(
    "fleet: a box that is declared dead is fenced first, and stays as it was where that fails") {
    const WakeUnit unit("echo \"$*\" >>orders; test -e works || { echo 'no answer' >&2; exit 4; }");
    FleetRig rig({.boxes = 2, .modems = 1, .cluster = unit.keys()});
    const auto declare_dead = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {"cluster", "dead", "b2", "--sure"});
        return rig.box(0).command(std::move(more));
    };
    const auto orders = [&] { return read_file((unit.folder() / "orders").string()); };
    rig.box(1).kill_service();
    const Finished failed = declare_dead({});
    CAPTURE(failed.output);
    CHECK(failed.ending.code == 1);
    CHECK(failed.output.contains("b2 could not be fenced"));
    CHECK(failed.output.contains("ended with 4: no answer"));
    CHECK(failed.output.contains("--unfenced"));
    CHECK(rig.row_of(1).at("state") != "dead");
    CHECK(orders() == "fence b2\n");

    SUBCASE("then it works") {
        std::ofstream(unit.folder() / "works") << "yes";
        const Finished fenced = declare_dead({});
        CHECK(fenced.ending == Ending{0, 0});
        CHECK(fenced.output.contains("was fenced"));
        CHECK(orders() == "fence b2\nfence b2\n");
    }
    SUBCASE("a person is certain all the same") {
        const Finished insisted = declare_dead({"--unfenced"});
        CHECK(insisted.ending == Ending{0, 0});
        CHECK_FALSE(insisted.output.contains("was fenced"));
        CHECK(orders() == "fence b2\n");
    }
    SUBCASE("the socket is switched off, so that none is fenced") {
        std::filesystem::remove(unit.folder() / "wake.sock");
        CHECK(declare_dead({}).ending == Ending{0, 0});
        CHECK(orders() == "fence b2\n");
    }
    REQUIRE(wait_for(20s, [&] { return rig.row_of(1).at("state") == "dead"; }));
}

TEST_CASE("fleet: a box is parked while it is not needed, and woken when it is, by a program") {
    // `park` ends the service; `wake` asks for it to be started, as a power switch would.
    const WakeUnit unit(
        "echo \"$*\" >>orders; case $1 in park) kill $(cat $2.pid);; "
        "wake) touch $2.on;; esac");
    FleetRig rig({.modems = 1,
                  .cluster = unit.keys() +
                             "[cluster.scaling]\nenabled = true\nsamples = 10\nperiod_ms = 500\n"
                             "node_rate = 2\npark_awaited = true\n",
                  .sim_options = {"--service-ms", "300", "--report-ms", "20"}});
    for (std::size_t i = 0; i < rig.boxes(); ++i) {
        std::ofstream(unit.folder() / (FleetRig::name_of(i) + ".pid"))
            << rig.box(i).service().pid();
    }
    const auto orders = [&] {
        const auto file = unit.folder() / "orders";
        return std::filesystem::exists(file) ? read_file(file.string()) : std::string();
    };
    // Idle: the last of them goes, and n_min boxes stay.
    REQUIRE(wait_for(60s, [&] { return rig.row_of(2).at("state") == "parked"; }));
    REQUIRE(wait_for(20s, [&] { return orders() == "park b3\n"; }));
    CHECK(rig.box(2).service().wait(20s).has_value());
    CHECK(rig.standing(0).at("scaling").at("enabled") == true);
    CHECK(wait_for(20s, [&] { return rig.standing(0).at("scaling").at("decisions") >= 2; }));
    CHECK(rig.box(0).command({"cluster", "boxes"}).output.contains("parked"));
    CHECK(rig.box(0).http("GET", "/metrics").body.contains("smsrack_cluster_decisions "));

    // What two boxes can't send: the third one comes, and works.
    std::size_t accepted = 0;
    const auto until = std::chrono::steady_clock::now() + 90s;
    while (!std::filesystem::exists(unit.folder() / "b3.on")) {
        REQUIRE(std::chrono::steady_clock::now() < until);
        for (std::size_t i = 0; i < 2; ++i) {
            (void)rig.submit(i, {{"to", number_of(accepted++)}, {"text", "x"}});
        }
        std::this_thread::sleep_for(200ms);
    }
    rig.box(2).start_service();
    CHECK(rig.is_seated(2));
    CHECK(wait_for(20s, [&] { return rig.row_of(2).at("state") == "running"; }));
    // When the load is over, it may be parked again.
    CHECK(orders().starts_with("park b3\nwake b3\n"));
    REQUIRE(wait_for(90s, [&] {
        std::size_t sent = 0;
        for (std::size_t n = 0; n < accepted; ++n) {
            sent += rig.sent_to(number_of(n));
        }
        return sent >= accepted;
    }));
    for (std::size_t n = 0; n < accepted; ++n) {
        CHECK(rig.sent_to(number_of(n)) == 1);
    }
}
