#include "src/intake/intake.hpp"
#include "tests/support/held_store.hpp"
#include "tests/support/manual_clock.hpp"

#include <doctest/doctest.h>

using namespace smsrack;

TEST_CASE("Intake: a national number is read as the group that is named dials it") {
    test::ManualClock clock;
    test::HeldStore store;
    const intake::Intake intake({.plan = {.country = "+33", .trunk = "0"},
                                 .group_plans = {{"default", {.country = "+33", .trunk = "0"}},
                                                 {"rome", {.country = "+39", .trunk = ""}}},
                                 .groups = {"default", "rome"}},
                                store, clock);
    struct Row {
        const char* so;
        const char* to;
        const char* group;
        const char* expected;
    };
    for (const Row& row : {
             Row{"no group", "0612345678", "", "+33612345678"},
             Row{"a group of the same country", "0612345678", "default", "+33612345678"},
             Row{"a group elsewhere", "0612345678", "rome", "+390612345678"},
             Row{"an international number is one everywhere", "+33612345678", "rome",
                 "+33612345678"},
             Row{"a short code too", "36180", "rome", "36180"},
         }) {
        CAPTURE(row.so);
        const auto preview = intake.preview({.to = row.to, .text = "x", .group = row.group});
        REQUIRE(preview);
        CHECK(preview->to == row.expected);
    }
}
