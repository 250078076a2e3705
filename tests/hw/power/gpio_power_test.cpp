#include "hw/power/gpio_power.hpp"

#include <doctest/doctest.h>

using namespace smsrack;

// Lines that can be driven are the board's; here is what can be shown without one.

TEST_CASE("GpioPower: a chip that is not there is named, and asked for again at the next call") {
    power::GpioPower power({.chip = "no-such-chip", .line = 5});
    for (const bool on : {false, true, false}) {
        CAPTURE(on);
        const auto switched = power.switch_to(on);
        REQUIRE_FALSE(switched);
        CHECK(switched.error().code == Errc::no_device);
        CHECK(switched.error().context.starts_with("power line 5 of no-such-chip: "));
    }
}
