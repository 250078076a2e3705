#include "src/cluster/box_production.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace smsrack;
using namespace smsrack::cluster;
using ports::BoxLife;

namespace {

BoxNode box(std::int32_t number, double busy = 0.5) {
    return {.row = {.box = BoxNumber{number},
                    .name = "b" + std::to_string(number),
                    .report = {.modems = 4, .messages_per_s = 2}},
            .beats = true,
            .work = BoxWork{.sent = 1, .asked = 2, .busy = busy, .groups = {"default"}}};
}

std::int32_t number_of(const BoxNode* node) {
    return node == nullptr ? 0 : node->row.box.value;
}

}  // namespace

TEST_CASE("box production: what runs, beats and can send carries load, and what will soon") {
    CHECK(is_in_production(box(1)));
    auto other = box(1);
    other.beats = false;
    CHECK_FALSE(is_in_production(other));
    other.comes = true;
    CHECK(is_in_production(other));
    other = box(1);
    other.row.report.modems = 0;
    CHECK_FALSE(is_in_production(other));
    for (const BoxLife life : {BoxLife::draining, BoxLife::parked, BoxLife::dead, BoxLife::left}) {
        other = box(1);
        other.row.life = life;
        CHECK_FALSE(is_in_production(other));
    }
}

TEST_CASE("box production: the sample is that of all boxes, and a box that is lost has crashed") {
    BoxProduction production;
    std::vector fleet{box(1, 0.2), box(2, 0.6), box(3, 0.1)};
    fleet[0].work->forecast = 3;
    fleet[2].row.report.messages_per_s = 0;  // never measured
    auto counted = production.look(fleet);
    CHECK(counted.boxes == 3);
    CHECK(counted.crashed == 0);
    CHECK(counted.load == 6);  // what was asked for is more
    CHECK(counted.cpu == doctest::Approx(0.3));
    CHECK(counted.forecast == 3);
    CHECK(counted.box_rate == 2);

    fleet[0].beats = false;
    fleet[1].row.life = BoxLife::draining;  // by a decision
    counted = production.look(fleet);
    CHECK(counted.boxes == 1);
    CHECK(counted.crashed == 1);
    CHECK(counted.load == 4);
    CHECK(production.look(fleet).crashed == 0);  // once
    CHECK(production.look({}).boxes == 0);

    // One that was woken counts until it is given up, and was never lost.
    fleet = {box(1), box(2)};
    fleet[1].beats = false;
    fleet[1].comes = true;
    CHECK(production.look(fleet).boxes == 2);
    fleet[1].comes = false;
    counted = production.look(fleet);
    CHECK(counted.boxes == 1);
    CHECK(counted.crashed == 0);
}

TEST_CASE("to_park: the box with the least work, and of equal ones the same for all") {
    std::vector fleet{box(1, 0.5), box(2, 0.1), box(3, 0.3)};
    CHECK(number_of(to_park(fleet)) == 2);
    fleet[1].is_self = true;
    CHECK(to_park(fleet) == nullptr);  // the others do
    fleet = {box(1), box(2), box(3)};
    CHECK(number_of(to_park(fleet)) == 3);
    fleet[2].row.firm = 1;
    CHECK(number_of(to_park(fleet)) == 2);
}

TEST_CASE("to_park: never a machine of the engine, the last of a group, or one that must stay") {
    std::vector fleet{box(1), box(2), box(3)};
    fleet[2].row.report.engine_node = true;
    CHECK(why_it_stays(fleet[2], fleet) == "engine_node");
    CHECK(number_of(to_park(fleet)) == 2);
    fleet[1].work->groups = {"default", "orange"};
    CHECK(why_it_stays(fleet[1], fleet) == "last_of_group");
    CHECK(number_of(to_park(fleet)) == 1);
    fleet[0].work->stays = "reports";
    CHECK(why_it_stays(fleet[0], fleet) == "reports");
    CHECK(to_park(fleet) == nullptr);
    fleet[2].work->groups = {"orange"};  // now there is another one
    CHECK(number_of(to_park(fleet)) == 2);
    fleet[1].work.reset();
    CHECK(why_it_stays(fleet[1], fleet) == "unknown");
    CHECK(to_park(fleet) == nullptr);
}

TEST_CASE("to_wake: of the parked boxes that whose group is busiest; one that failed comes last") {
    std::vector fleet{box(1, 0.9), box(2), box(3), box(4)};
    CHECK(to_wake(fleet, {}) == nullptr);
    for (const std::size_t parked : {1UL, 2UL, 3UL}) {
        fleet[parked].row.life = BoxLife::parked;
        fleet[parked].beats = false;
    }
    CHECK(number_of(to_wake(fleet, {})) == 2);
    fleet[3].work->groups = {"orange"};  // no box sends for it
    CHECK(number_of(to_wake(fleet, {})) == 4);
    fleet[2].work.reset();
    CHECK(number_of(to_wake(fleet, {{BoxNumber{4}, 1}})) == 2);
    CHECK(number_of(to_wake(fleet, {{BoxNumber{4}, 3}, {BoxNumber{2}, 2}, {BoxNumber{3}, 1}})) ==
          3);
}
