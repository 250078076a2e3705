// How many messages a box asks for.
#include "src/cluster/room.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;

TEST_CASE("room: what the modems send in ahead_s, less what the box has") {
    struct Case {
        const char* what;
        cluster::GroupPace pace;
        std::size_t room;
    };
    for (const Case& it : {
             Case{"two modems at half a message a second", {"a", 0.5, 2, 0}, 30},
             Case{"some of it is here", {"a", 0.5, 2, 12}, 18},
             Case{"all of it is here", {"a", 0.5, 2, 30}, 0},
             Case{"more than that", {"a", 0.5, 2, 99}, 0},
             Case{"a modem that was never measured gets one", {"a", 0, 3, 0}, 3},
             Case{"no modem can send", {"a", 0.5, 0, 0}, 0},
         }) {
        CAPTURE(it.what);
        CHECK(cluster::room_of(it.pace, 60s) == it.room);
    }
}

TEST_CASE("room: groups share one command by their rooms, and a small one is not left out") {
    const std::vector<cluster::GroupPace> groups{
        {"large", 100, 8, 0}, {"small", 0, 1, 0}, {"idle", 1, 1, 60}};
    const auto wishes = cluster::wishes_of(groups, 60s);
    REQUIRE(wishes.size() == 2);
    CHECK(wishes[0].group == "large");
    CHECK(wishes[1].group == "small");
    CHECK(wishes[1].limit == 1);
    CHECK(wishes[0].limit + wishes[1].limit <= ports::engine_batch_max);
    CHECK(cluster::wishes_of({}, 60s).empty());
}
