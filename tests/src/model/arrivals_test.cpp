#include "src/model/arrivals.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <vector>

using namespace smsrack;
using model::ArrivalPattern;
using model::pattern_of;

namespace {

double dispersion_of(const std::vector<std::uint64_t>& counts) {
    double sum = 0;
    double squares = 0;
    for (const std::uint64_t count : counts) {
        sum += static_cast<double>(count);
        squares += static_cast<double>(count * count);
    }
    const auto n = static_cast<double>(counts.size());
    return (squares - sum * sum / n) / (n - 1) / (sum / n);
}

}  // namespace

TEST_CASE(
    "arrivals: bursts and even ones are distinguished from Poisson arrivals, when there are "
    "enough") {
    struct Row {
        const char* what;
        double dispersion;
        std::size_t windows;
        std::uint64_t arrivals;
        ArrivalPattern pattern;
    };
    for (const Row& row : {
             Row{"a start", 0, 0, 0, ArrivalPattern::unknown},
             Row{"a minute", 50, 6, 500, ArrivalPattern::unknown},
             Row{"hardly any", 9, 60, 29, ArrivalPattern::unknown},
             Row{"as Poisson", 1, 60, 500, ArrivalPattern::poisson},
             Row{"a little more", 1.9, 60, 500, ArrivalPattern::poisson},
             Row{"bursts", 2.1, 60, 500, ArrivalPattern::bursts},
             Row{"of few windows that may be chance", 2.1, 20, 500, ArrivalPattern::poisson},
             Row{"that is none", 3, 20, 500, ArrivalPattern::bursts},
             Row{"a little less", 0.45, 60, 500, ArrivalPattern::poisson},
             Row{"even", 0.1, 60, 500, ArrivalPattern::regular},
             Row{"even, of few windows", 0.1, 20, 500, ArrivalPattern::poisson},
         }) {
        CAPTURE(row.what);
        CHECK(pattern_of(row.dispersion, row.windows, row.arrivals) == row.pattern);
    }
}

TEST_CASE("arrivals: Poisson arrivals are hardly ever called anything else") {
    std::mt19937_64 chance(39);
    for (const double mean : {0.6, 2.0, 20.0, 500.0}) {
        for (const std::size_t windows : {20UL, 60UL}) {
            CAPTURE(mean);
            CAPTURE(windows);
            int wrong = 0;
            for (int trial = 0; trial < 2'000; ++trial) {
                std::poisson_distribution<std::uint64_t> arrivals(mean);
                std::vector<std::uint64_t> counts(windows);
                std::uint64_t sum = 0;
                for (std::uint64_t& count : counts) {
                    count = arrivals(chance);
                    sum += count;
                }
                const auto pattern = pattern_of(sum == 0 ? 0 : dispersion_of(counts), windows, sum);
                wrong += pattern == ArrivalPattern::bursts || pattern == ArrivalPattern::regular;
            }
            CHECK(wrong <= 3);  // of 2,000
        }
    }
}
