#include "firmware-host/upgrade/migration_trial.hpp"

#include <doctest/doctest.h>

using namespace smsrack;

TEST_CASE("migration's trial: its copy never takes the room that messages need") {
    constexpr std::uintmax_t mebi = 1024 * 1024;
    struct Row {
        const char* so;
        std::uintmax_t database;
        std::uintmax_t available;
        bool may;
    };
    for (const Row& row : {
             Row{"a small one on a roomy disk", 1 * mebi, 1'000 * mebi, true},
             Row{"a small one on a full disk", 1 * mebi, 20 * mebi, false},
             Row{"just enough", 100 * mebi, 232 * mebi, true},
             Row{"the copy alone would fit", 100 * mebi, 150 * mebi, false},
             Row{"nothing is free", 0, 0, false},
         }) {
        CAPTURE(row.so);
        const auto room = host::room_for_trial(row.database, row.available);
        REQUIRE(room.has_value() == row.may);
        if (!room) {
            CHECK(room.error().code == Errc::storage);
            CHECK(room.error().context.contains("MiB"));
        }
    }
}
