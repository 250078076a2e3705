// Group A of what users of gateways complain of, the SIM: each fault as a scenario.
#include "tests/rack/support/fault_check.hpp"
#include "tests/support/temp_dir.hpp"

#include <doctest/doctest.h>

#include <fmt/format.h>
#include <fstream>

using namespace smsrack;
using namespace std::chrono_literals;
using test::FaultScenario;
using enum modem_sim::FaultKind;

namespace {

/// A folder with a PIN in it, and the key of a [[modem]] that names it.
std::string pin_key(const test::TempDir& dir, const char* pin) {
    const auto file = dir.path() / "pin";
    std::ofstream(file) << pin << "\n";
    return fmt::format("pin = {{ file = \"{}\" }}\n", file.string());
}

constexpr const char* policy_adopt = "[defaults]\nsim_policy = \"adopt\"\n";
constexpr const char* policy_warn = "[defaults]\nsim_policy = \"warn\"\n";
constexpr const char* policy_refuse = "[defaults]\nsim_policy = \"refuse\"\n";
constexpr int foreign_card = 900;  // the SIM of no modem of the rack

}  // namespace

// A4: the SIM's PIN is tried until the card is PUK-blocked; PIN prompts in general.
TEST_CASE("A4: the SIM wants its PIN, or its PUK") {
    const test::TempDir dir;
    const std::string pin = pin_key(dir, "4711");
    const modem_sim::Fault asks{.kind = pin_wanted, .count = 3, .text = "4711"};
    const modem_sim::Fault asks_another{.kind = pin_wanted, .count = 3, .text = "1111"};
    const modem_sim::Fault asks_with_two_left{.kind = pin_wanted, .count = 2, .text = "1111"};
    const modem_sim::Fault asks_with_one_left{.kind = pin_wanted, .count = 1, .text = "4711"};
    for (const FaultScenario& scenario : {
             FaultScenario{"the PIN right",
                           {.modem_toml = pin, .steps = {{3s, asks}}},
                           {.unknown = 1, .pin_attempts = 3}},
             FaultScenario{"the PIN wrong: tried once",
                           {.modem_toml = pin, .steps = {{3s, asks_another}}},
                           {.unknown = 1, .back = false, .pin_attempts = 2}},
             FaultScenario{"the PIN wrong, and the modem restarts three times: tried once",
                           {.modem_toml = pin,
                           .steps = {{3s, asks_another},
                                     {8s, {.kind = reboot}},
                                     {12s, {.kind = reboot}},
                                     {16s, {.kind = reboot}}}},
                           {.unknown = 1, .back = false, .pin_attempts = 2}},
             FaultScenario{"the PIN wrong, with two attempts left",
                           {.modem_toml = pin, .steps = {{3s, asks_with_two_left}}},
                           {.unknown = 1, .back = false, .pin_attempts = 1}},
             FaultScenario{"one attempt left: not tried, though it is right",
                           {.modem_toml = pin, .steps = {{3s, asks_with_one_left}}},
                           {.unknown = 1, .back = false, .pin_attempts = 1}},
             FaultScenario{"a PIN, and none is configured",
                           {.steps = {{3s, asks}}},
                           {.unknown = 1, .back = false, .pin_attempts = 3}},
             FaultScenario{"the PIN wrong, and the box loses its power before it heard so",
                           {.modem_toml = pin, .steps = {{3s, asks_another}}, .power_lost = 4s},
                           {.unknown = 1, .back = false, .others_alike = false, .pin_attempts = 2}},
             FaultScenario{"the PIN wrong, and the box loses its power later",
                           {.modem_toml = pin, .steps = {{3s, asks_another}}, .power_lost = 9s},
                           {.unknown = 1, .back = false, .others_alike = false, .pin_attempts = 2}},
             FaultScenario{"the PUK",
                           {.modem_toml = pin, .steps = {{3s, modem_sim::make_fault(puk_wanted)}}},
                           {.unknown = 1, .back = false, .pin_attempts = 0}},
         }) {
        test::check(scenario);
    }
}

// A5: SIM or modem storage fills, and incoming messages silently stop.
TEST_CASE("A5: the SIM's storage is full, or does not tell what came in") {
    for (const FaultScenario& scenario : {
             FaultScenario{"messages come in while it sends", {.inbound = 60}},
             FaultScenario{
                 "full", {.steps = {{3s, {.kind = storage_full}}, {33s, {.kind = storage_free}}}}},
             FaultScenario{"full while messages come in",
                           {.steps = {{3s, {.kind = storage_full}}, {33s, {.kind = storage_free}}},
                           .inbound = 60}},
             FaultScenario{"full of unreadable PDUs",
                           {.steps = {{3s, {.kind = undecodable, .count = 50}}}, .inbound = 20},
                           {.undecodable = 50}},
             FaultScenario{"the URCs of twenty messages are not said",
                           {.steps = {{1s, {.kind = lose_urc, .count = 20}}}, .inbound = 20}},
             FaultScenario{"pulled out while messages come in",
                           {.steps = {{3s, {.kind = sim_removed}}, {33s, {.kind = sim_inserted}}},
                           .inbound = 60},
                           {.unknown = 1}},
         }) {
        test::check(scenario);
    }
}

// A6: renumbered ports, or SIMs in other slots, send through the wrong SIM.
TEST_CASE("A6: the SIM is pulled, or another one sits in the slot") {
    const modem_sim::Fault swap{.kind = sim_swapped, .code = foreign_card};
    const modem_sim::Fault swap_back{.kind = sim_swapped, .code = 0};
    for (const FaultScenario& scenario : {
             FaultScenario{"pulled out for half a minute",
                           {.steps = {{3s, {.kind = sim_removed}}, {33s, {.kind = sim_inserted}}}},
                           {.unknown = 1}},
             FaultScenario{
                 "busy after a restart",
                 {.steps = {{3s, {.kind = reboot}}, {4s, {.kind = sim_busy, .count = 3}}}},
                 {.unknown = 1}},
             FaultScenario{"another SIM, which is adopted",
                           {.toml = policy_adopt, .steps = {{3s, swap}}},
                           {.unknown = 1}},
             FaultScenario{"another SIM, which is warned of",
                           {.toml = policy_warn, .steps = {{3s, swap}}},
                           {.unknown = 1}},
             FaultScenario{"another SIM, which is refused",
                           {.toml = policy_refuse, .steps = {{3s, swap}}},
                           {.unknown = 1, .back = false}},
             FaultScenario{"another SIM, which is refused until the old one is back",
                           {.toml = policy_refuse, .steps = {{3s, swap}, {33s, swap_back}}},
                           {.unknown = 1}},
         }) {
        test::check(scenario);
    }
}

// The quota and the reports are those of the SIM that is in the slot.
TEST_CASE("A6: swapped again while its modem is being set up, the SIM is the one that is in") {
    for (std::chrono::milliseconds in_slot = 20ms; in_slot < 6s; in_slot += 70ms) {
        CAPTURE(in_slot.count());
        test::World world({.modems = 1, .toml = policy_adopt});
        REQUIRE(world.run_until_ready());
        const std::string own = world.rack().lines().at(0).identity.iccid;
        modem_sim::Fault swap{.kind = sim_swapped, .code = foreign_card};
        world.modems.modem(0).inject(world.clock.steady(), swap);
        world.run_for(in_slot);
        swap.code = 0;
        world.modems.modem(0).inject(world.clock.steady(), swap);
        world.run_for(1min);
        CHECK(world.rack().lines().at(0).link == ports::LinkState::active);
        CHECK(world.rack().lines().at(0).identity.iccid == own);
    }
}
