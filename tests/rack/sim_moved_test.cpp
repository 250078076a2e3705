// A SIM that goes into another slot takes along what it may still send.
#include "tests/rack/support/world.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fmt/format.h>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

constexpr int foreign_card = 900;

void inject(test::World& world, unsigned modem, modem_sim::Fault fault) {
    world.modems.modem(modem).inject(world.clock.steady(), fault);
}

void swap(test::World& world, unsigned slot, int card) {
    inject(world, slot, {.kind = modem_sim::FaultKind::sim_swapped, .code = card});
}

void send_many(test::World& world, int count) {
    for (int i = 0; i < count; ++i) {
        world.send({.to = fmt::format("+3361{:07}", i), .text = "hello", .ttl_s = 500'000});
    }
}

auto submits_of(const test::World& world, unsigned modem) {
    return std::ranges::count(world.modems.journal.submits, modem, &test::Submitted::modem);
}

}  // namespace

TEST_CASE("A6: a SIM that is moved to another slot takes its quota along, over a power cut too") {
    for (const bool power_lost : {false, true}) {
        CAPTURE(power_lost);
        test::World world({.modems = 2, .service = 100ms, .modem_toml = "quota = { per_day = 6 }"});
        REQUIRE(world.run_until_ready());
        inject(world, 1, {.kind = modem_sim::FaultKind::network_lost});
        world.run_for(30s);
        send_many(world, 6);
        world.run_for(60s);
        REQUIRE(submits_of(world, 0) == 6);

        swap(world, 0, foreign_card);  // an unused one
        swap(world, 1, 0);             // the spent one
        inject(world, 1, {.kind = modem_sim::FaultKind::network_back});
        world.run_for(power_lost ? 3s : 60s);
        if (power_lost) {
            world.crash_and_restart();
            REQUIRE(world.run_until_ready());
        }
        send_many(world, 10);
        world.run_for(120s);
        CHECK(submits_of(world, 0) == 6 + 6);
        CHECK(submits_of(world, 1) == 0);
        const auto lines = world.rack().lines();
        REQUIRE(lines[1].pause);
        CHECK(lines[1].pause->reason == "quota");
        CHECK(lines[1].identity.iccid == modem_sim::make_identity(0).iccid);

        swap(world, 1, 1);  // back to its own, which has sent nothing
        world.run_for(60s);
        CHECK(submits_of(world, 1) == 4);
    }
}
