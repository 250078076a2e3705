// The model of the engine does what any engine must, as the one on PostgreSQL.
#include "tests/fleet/conformance/engine_cases.hpp"
#include "tests/fleet/model/engine_model.hpp"
#include "tests/support/manual_clock.hpp"
#include "tests/support/seeded_random.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

class ModelRig final : public test::EngineRig {
public:
    [[nodiscard]] ports::ClusterEngine& box(std::size_t index) override {
        return engine_.link(index);
    }
    [[nodiscard]] bool run_until(const std::function<bool()>& done) override {
        const SteadyTime end = clock_.steady() + 60s;
        while (!done() && clock_.steady() < end) {
            clock_.advance_to(std::min(end, engine_.step(clock_.steady())));
        }
        return done();
    }
    void pass(std::chrono::milliseconds time) override {
        const SteadyTime end = clock_.steady() + time;
        (void)run_until([&] {
            const bool is_over = engine_.step(clock_.steady()) > end;
            if (is_over) {
                clock_.advance_to(end);
            }
            return is_over;
        });
    }
    void hold_commits(std::size_t index, bool hold) override { engine_.hold(index, hold); }

private:
    test::ManualClock clock_;
    test::SeededRandom random_{1};
    test::EngineModel engine_{clock_, random_, box_count};
};

}  // namespace

TEST_CASE("engine model: it does what any engine of a fleet must") {
    for (const test::EngineCase& it : test::engine_cases()) {
        CAPTURE(std::string(it.sentence));
        ModelRig rig;
        CHECK_NOTHROW(it.check(rig));
    }
}
