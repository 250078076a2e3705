// How messages come, and what that means for what M/M/c predicts, with a whole rack in simulated time.
#include "src/model/arrivals.hpp"

#include "src/model/mmc.hpp"
#include "tests/rack/support/world.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <fmt/format.h>
#include <random>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

/// `batch` messages together, about each `every`, for ten minutes and a half.
ports::RackStatus after(unsigned batch, std::chrono::milliseconds every) {
    test::World world({.modems = 2, .service = 500ms});
    REQUIRE(world.run_until_ready());
    std::mt19937 chance(3);
    std::exponential_distribution<double> pause(1);
    int sent = 0;
    for (const auto end = world.clock.steady() + 630s; world.clock.steady() < end;) {
        std::vector<intake::SubmitRequest> together;
        for (unsigned i = 0; i < batch; ++i) {
            together.push_back({.to = fmt::format("+3361234{:04}", ++sent % 10'000), .text = "x"});
        }
        (void)world.send_all(together);
        world.run_for(std::chrono::milliseconds(
            std::lround(static_cast<double>(every.count()) * pause(chance))));
    }
    return world.rack().status();
}

model::ArrivalPattern pattern_of(const ports::Arrivals& arrivals) {
    return model::pattern_of(arrivals.dispersion, arrivals.windows, arrivals.messages);
}

}  // namespace

TEST_CASE("arrivals: the rack tells bursts from single messages; in bursts M/M/c is too hopeful") {
    const ports::RackStatus single = after(1, 3s);
    CHECK(single.arrivals.windows == 60);
    CHECK(pattern_of(single.arrivals) == model::ArrivalPattern::poisson);
    CHECK(single.arrivals.dispersion == doctest::Approx(1).epsilon(0.6));

    const ports::RackStatus bursts = after(20, 60s);
    CHECK(pattern_of(bursts.arrivals) == model::ArrivalPattern::bursts);
    CHECK(bursts.arrivals.dispersion > 10);
    REQUIRE(bursts.measured);
    const double lambda = static_cast<double>(bursts.arrivals.messages) / 600;
    const auto predicted = model::mmc({.lambda = lambda, .mu = bursts.measured->mu, .servers = 2});
    REQUIRE(predicted);
    CHECK(bursts.measured->wq_s > 10 * predicted->wq);
}
