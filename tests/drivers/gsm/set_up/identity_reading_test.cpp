#include "drivers/gsm/set_up/identity_reading.hpp"

#include <doctest/doctest.h>

namespace smsrack::gsm {

TEST_CASE("IdentityReading: whole by length and check digit, else by two equal readings") {
    struct Row {
        Identity kind;
        const char* number;
        bool at_once;
    };
    for (const Row& row : {Row{Identity::imei, "353270041234560", true},
                           Row{Identity::imei, "353270041234567", false},   // another check digit
                           Row{Identity::imei, "35327004123456", false},    // it lost the last one
                           Row{Identity::imei, "3532700412345678", false},  // IMEISV has none
                           Row{Identity::imsi, "208010123456789", true},
                           Row{Identity::imsi, "20801012345678", false},
                           Row{Identity::iccid, "8933012700000000047", true},
                           Row{Identity::iccid, "89330123456789012342", true},
                           Row{Identity::iccid, "8933012345678901234", false},
                           Row{Identity::iccid, "893301270000000004", false}}) {
        CAPTURE(row.number);
        IdentityReading reading;
        reading.take(row.kind, row.number);
        CHECK(reading.asks_again() != row.at_once);
        CHECK_FALSE(reading.asks_again());
        reading.take(row.kind, row.number);
        CHECK_FALSE(reading.asks_again());
        reading.take(row.kind, "");
        CHECK_FALSE(reading.asks_again());
        reading.take(row.kind, "8933");
        CHECK(reading.asks_again());
        reading.begin();
        reading.take(row.kind, row.number);
        CHECK(reading.asks_again() != row.at_once);
    }
}

TEST_CASE("IdentityReading: a number that never comes twice alike is asked for eight times") {
    IdentityReading reading;
    for (int i = 1; i <= IdentityReading::readings_max; ++i) {
        reading.take(Identity::iccid, i % 2 == 0 ? "8933" : "893");
        CHECK(reading.asks_again() == (i < IdentityReading::readings_max));
    }
}

}  // namespace smsrack::gsm
