/// Some boxes and the model of the engine, for tests that say themselves what happens.
///
/// Time:    simulated.
#pragma once

#include "tests/fleet/days/fleet_box.hpp"
#include "tests/fleet/model/engine_model.hpp"
#include "tests/support/manual_clock.hpp"
#include "tests/support/seeded_random.hpp"
#include "tests/support/temp_dir.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

namespace smsrack::test {

class FewBoxes : public FleetWitness {
public:
    explicit FewBoxes(std::size_t boxes, cluster::FleetSettings settings = {})
        : engine(clock, random_, boxes) {
        for (std::size_t i = 0; i < boxes; ++i) {
            settings.who = {.name = fmt::format("box{}", i + 1), .key = "key"};
            engine.link(i).post(ports::RegisterBox{.who = settings.who}, {});
            run_for(std::chrono::seconds(1));
            boxes_.push_back(
                std::make_unique<FleetBox>(i, engine.link(i), settings, *this, folder_.path()));
            boxes_.back()->advance_to(clock.steady());
        }
    }

    FleetBox& box(std::size_t place) { return *boxes_.at(place); }

    void run_for(std::chrono::milliseconds length) {
        using namespace std::chrono_literals;
        const SteadyTime end = clock.steady() + length;
        while (clock.steady() < end) {
            SteadyTime next = engine.step(clock.steady());
            bool moved = true;
            for (int pass = 0; moved && pass < 50; ++pass) {
                moved = false;
                for (const auto& box : boxes_) {
                    moved = box->step() || moved;
                }
                next = engine.step(clock.steady());
            }
            for (const auto& box : boxes_) {
                next = std::min(next, box->desk_due());
            }
            clock.advance_to(
                std::min(end, std::clamp(next, clock.steady() + 1ms, clock.steady() + 500ms)));
            for (const auto& box : boxes_) {
                box->advance_to(clock.steady());
            }
        }
    }

private:
    void begins(std::size_t /*box*/, const std::string& /*text*/) override {}
    void leaves(std::size_t /*box*/, const std::string& /*text*/) override {}
    void says(std::size_t /*box*/, const Event& /*event*/) override {}
    void dies(std::size_t /*box*/) override {}

    TempDir folder_;
    SeededRandom random_{1};

public:
    ManualClock clock;
    EngineModel engine;

private:
    std::vector<std::unique_ptr<FleetBox>> boxes_ = {};
};

}  // namespace smsrack::test
