#include "src/results/centre_clock.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

constexpr WallTime noon{std::chrono::sys_days{std::chrono::year{2026} / 6 / 1} + 12h};
constexpr WallTime millennium{std::chrono::sys_days{std::chrono::year{2000} / 1 / 1}};

}  // namespace

TEST_CASE("is_credible: a time stamp is believed where it is near to our time") {
    struct Row {
        const char* what;
        std::optional<WallTime> scts;
        bool credible;
    };
    for (const Row& row : {
             Row{"of a second ago", noon - 1s, true},
             Row{"no time at all: zeros, or FF", std::nullopt, false},
             Row{"a constant date", millennium, false},
             Row{"a centre that writes local time", noon + 14h, true},
             Row{"one that is two days ahead", noon + 48h, false},
             Row{"a message that the centre had for a week", noon - 7 * 24h, true},
             Row{"for longer than centres try", noon - 9 * 24h, false},
         }) {
        CAPTURE(row.what);
        CHECK(results::is_credible(row.scts, noon) == row.credible);
    }
    CHECK_FALSE(results::is_credible(noon, millennium));  // our own clock is the dead one
}
