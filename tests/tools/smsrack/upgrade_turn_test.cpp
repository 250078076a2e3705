#include "tools/smsrack/rack/upgrade_turn.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;
using namespace smsrack::cli;

namespace {

wire::Json row(int beats, int modems = 4, const std::string& state = "running") {
    return {{"name", "b2"}, {"state", state}, {"beats", beats}, {"modems", modems}};
}

}  // namespace

TEST_CASE(
    "upgrade turn: a box is well after two beats behind the first that is seen, and no sooner") {
    WellBeats well(turn_of(row(7)));
    CHECK_FALSE(well.look(row(8)).empty());
    CHECK_FALSE(well.look(row(8)).empty());  // the same beat once more says nothing new
    CHECK_FALSE(well.look(row(9)).empty());
    CHECK_FALSE(well.look(row(9)).empty());
    CHECK(well.look(row(10)).empty());
}

TEST_CASE("upgrade turn: what is wrong in between begins the count again, and is said") {
    WellBeats well(turn_of(row(7)));
    (void)well.look(row(8));
    (void)well.look(row(9));
    CHECK(well.look(row(10, 3)) == "3 of its 4 modems can send");
    CHECK(well.look(row(11, 4, "silent")) == "it is silent");
    CHECK_FALSE(well.look(row(12)).empty());
    CHECK_FALSE(well.look(row(13)).empty());
    CHECK(well.look(row(14, 5)).empty());  // more modems than before are no fault
}
