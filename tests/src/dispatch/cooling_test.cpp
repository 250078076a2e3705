#include "src/dispatch/cooling.hpp"

#include "tests/support/error_table.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

constexpr SimId sim{5};
constexpr SteadyTime now = SteadyTime{} + 1h;

SubmitOutcome refused(std::int32_t cms) {
    return {.kind = OutcomeKind::refused, .cause = {.kind = CodeKind::cms, .code = cms}};
}

constexpr SubmitOutcome accepted{.kind = OutcomeKind::accepted};

}  // namespace

TEST_CASE("Cooling: n refusals of carrier or network in a row, and the SIM rests") {
    for (const std::int32_t cms : {8, 10, 38, 42, 50, 69}) {
        CAPTURE(cms);
        dispatch::Cooling cooling({.after = 3, .first = 60s, .most = 1h}, test::error_table);
        CHECK_FALSE(cooling.ended(sim, refused(cms), now));
        CHECK_FALSE(cooling.ended(sim, refused(cms), now));
        CHECK(cooling.ended(sim, refused(cms), now) == 60s);
        CHECK(cooling.until(sim, now) == now + 60s);
        CHECK_FALSE(cooling.until(SimId{6}, now));
        CHECK_FALSE(cooling.until(sim, now + 60s));
    }
}

TEST_CASE("Cooling: what is the message's own fault or the modem's does not count") {
    dispatch::Cooling cooling({.after = 1, .first = 60s, .most = 1h}, test::error_table);
    CHECK_FALSE(cooling.ended(sim, refused(1), now));  // unassigned number
    CHECK_FALSE(cooling.ended(sim, {.kind = OutcomeKind::not_sent}, now));
    CHECK_FALSE(cooling.ended(sim, {.kind = OutcomeKind::unknown}, now));
    CHECK(cooling.ended(sim, refused(8), now));
}

TEST_CASE("Cooling: a segment that the network takes begins the count again") {
    dispatch::Cooling cooling({.after = 2, .first = 60s, .most = 1h}, test::error_table);
    CHECK_FALSE(cooling.ended(sim, refused(42), now));
    CHECK_FALSE(cooling.ended(sim, accepted, now));
    CHECK_FALSE(cooling.ended(sim, refused(42), now));
    CHECK(cooling.ended(sim, refused(42), now) == 60s);
}

TEST_CASE("Cooling: each rest is twice as long, up to the bound; success begins again") {
    dispatch::Cooling cooling({.after = 2, .first = 60s, .most = 200s}, test::error_table);
    CHECK_FALSE(cooling.ended(sim, refused(8), now));
    for (const auto pause : {60s, 120s, 200s, 200s}) {
        CHECK(cooling.ended(sim, refused(8), now) == pause);
    }
    CHECK_FALSE(cooling.ended(sim, accepted, now));
    CHECK_FALSE(cooling.ended(sim, refused(8), now));
    CHECK(cooling.ended(sim, refused(8), now) == 60s);
}

TEST_CASE("Cooling: 0 is never") {
    dispatch::Cooling cooling({.after = 0}, test::error_table);
    for (int i = 0; i < 100; ++i) {
        CHECK_FALSE(cooling.ended(sim, refused(8), now));
    }
}

TEST_CASE("Cooling: over an upgrade a SIM continues to rest, and its next rest is twice as long") {
    constexpr dispatch::CoolingSettings settings{.after = 2, .first = 60s, .most = 1h};
    dispatch::Cooling before(settings, test::error_table);
    CHECK_FALSE(before.ended(sim, refused(8), now));
    CHECK(before.ended(sim, refused(8), now) == 60s);
    CHECK_FALSE(before.ended(SimId{6}, refused(8), now));  // one refusal, no rest yet
    dispatch::Cooling next(settings, test::error_table);
    next.adopt(before.carried());
    CHECK(next.until(sim, now) == now + 60s);
    CHECK_FALSE(next.until(SimId{6}, now));
    CHECK(next.ended(sim, refused(8), now + 60s) == 120s);
    CHECK(next.ended(SimId{6}, refused(8), now) == 60s);
    dispatch::Cooling never({.after = 0}, test::error_table);  // the configuration says so now
    never.adopt(before.carried());
    CHECK_FALSE(never.until(sim, now));
}
