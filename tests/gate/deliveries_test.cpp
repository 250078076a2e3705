// When a delivery that an ESME puts off again and again is given up.
#include "firmware-host/gate/smpp/deliveries.hpp"

#include <doctest/doctest.h>

using smsrack::gate::Deliveries;

TEST_CASE(
    "deliveries: what is put off for days is kept until it keeps the others from being read") {
    constexpr unsigned days = 10'000;
    CHECK_FALSE(Deliveries::is_given_up(days, 0));
    CHECK_FALSE(Deliveries::is_given_up(days, Deliveries::taken_max - 1));
    CHECK_FALSE(Deliveries::is_given_up(Deliveries::tries_max - 1, Deliveries::taken_max));
    CHECK(Deliveries::is_given_up(Deliveries::tries_max, Deliveries::taken_max));
}
