#include "src/stats/dispersion.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

using namespace smsrack;
using namespace std::chrono_literals;
using stats::DispersionWindow;

namespace {

constexpr SteadyTime start = SteadyTime{} + 1h;

}  // namespace

TEST_CASE("dispersion: of counts that are known it is variance over mean") {
    DispersionWindow window;
    window.add(start, 0);
    for (int i = 0; i < 4; ++i) {  // 2, 4, 2, 4
        window.add(start + i * 10s + 1s, i % 2 == 0 ? 2 : 4);
    }
    const auto figures = window.look(start + 40s);
    CHECK(figures.windows == 4);
    CHECK(figures.arrivals == 12);
    CHECK(figures.index == doctest::Approx((4.0 / 3) / 3));
}

TEST_CASE("dispersion: the window that is not over does not count, and old ones leave") {
    DispersionWindow window;
    CHECK(window.look(start).windows == 0);
    window.add(start + 1s, 1'000);
    CHECK(window.look(start + 9s).windows == 0);
    CHECK(window.look(start + 10s).windows == 1);
    CHECK(window.look(start + 10s).arrivals == 1'000);
    CHECK(window.look(start + 600s).windows == 60);
    CHECK(window.look(start + 609s).arrivals == 1'000);
    CHECK(window.look(start + 610s).arrivals == 0);
    window.add(start + 611s, 5);
    const auto later = window.look(start + 48h);  // no look for two days
    CHECK(later.windows == 60);
    CHECK(later.arrivals == 0);
    CHECK(later.index == 0);
}

TEST_CASE("dispersion: Poisson arrivals have 1, those in batches their batch, even ones 0") {
    std::mt19937_64 chance(7);
    struct Row {
        const char* what;
        double batches_per_window;
        std::uint64_t batch;
        double index;
        double within;
    };
    for (const Row& row : {
             Row{"one by one", 30, 1, 1, 0.1},
             Row{"few", 2, 1, 1, 0.1},
             Row{"tens together", 3, 10, 10, 1},
             Row{"a file at a time", 0.5, 400, 400, 40},
         }) {
        CAPTURE(row.what);
        double sum = 0;
        constexpr int trials = 100;
        for (int trial = 0; trial < trials; ++trial) {
            DispersionWindow window;
            window.add(start, 0);
            std::poisson_distribution<std::uint64_t> batches(row.batches_per_window);
            for (int i = 0; i < 60; ++i) {
                window.add(start + i * 10s, batches(chance) * row.batch);
            }
            sum += window.look(start + 600s).index;
        }
        CHECK(std::abs(sum / trials - row.index) < row.within);
    }
    DispersionWindow even;
    for (int i = 0; i < 60; ++i) {
        even.add(start + i * 10s, 7);
    }
    CHECK(even.look(start + 600s).index == 0);
}
