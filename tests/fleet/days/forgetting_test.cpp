// How long the engine knows what has ended: one box and the model of the engine, in simulated time.
#include "tests/fleet/days/fleet_box.hpp"
#include "tests/fleet/model/engine_model.hpp"
#include "tests/support/manual_clock.hpp"
#include "tests/support/seeded_random.hpp"
#include "tests/support/temp_dir.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

class NoWitness final : public test::FleetWitness {
public:
    void begins(std::size_t /*box*/, const std::string& /*text*/) override {}
    void leaves(std::size_t /*box*/, const std::string& /*text*/) override {}
    void says(std::size_t /*box*/, const Event& /*event*/) override {}
    void dies(std::size_t /*box*/) override {}
};

}  // namespace

TEST_CASE("fleet: the engine knows what has ended for `known`, and then forgets it") {
    const test::TempDir folder;
    test::SeededRandom random(1);
    test::ManualClock clock;
    test::EngineModel engine(clock, random, 1);
    NoWitness witness;
    const cluster::FleetSettings settings{.who = {.name = "box1", .key = "key"}, .known = 1h};
    engine.link(0).post(ports::RegisterBox{.who = settings.who}, {});
    test::FleetBox box(0, engine.link(0), settings, witness, folder.path());
    const auto run_for = [&](std::chrono::milliseconds length) {
        const SteadyTime end = clock.steady() + length;
        while (clock.steady() < end) {
            SteadyTime next = engine.step(clock.steady());
            for (int pass = 0; pass < 50 && box.step(); ++pass) {
                next = engine.step(clock.steady());
            }
            clock.advance_to(
                std::min(end, std::clamp(next, clock.steady() + 1ms, clock.steady() + 500ms)));
            box.advance_to(clock.steady());
        }
    };
    box.advance_to(clock.steady());
    run_for(10s);
    const auto id = box.submit({.text = "hello", .life = 30min});
    REQUIRE(id);
    run_for(1min);
    REQUIRE(box.row(*id)->state == MessageState::sent);
    REQUIRE(engine.state().messages().contains(*id));
    run_for(57min);
    CHECK(engine.state().messages().contains(*id));
    run_for(5min);
    CHECK_FALSE(engine.state().messages().contains(*id));
    CHECK(box.row(*id)->state == MessageState::sent);
}
