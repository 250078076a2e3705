// What accounts have not taken, in memory: of all together, and a share for each.
#include "firmware-host/gate/smpp/delivery_room.hpp"

#include <doctest/doctest.h>

using smsrack::gate::DeliveryRoom;

TEST_CASE("delivery room: an account that does not take its own leaves the others their share") {
    DeliveryRoom room;
    DeliveryRoom::Share other(room);
    {
        DeliveryRoom::Share greedy(room);
        greedy.hold(DeliveryRoom::octets_max - 1);
        CHECK(greedy.has_room());
        greedy.hold(1);
        CHECK_FALSE(greedy.has_room());
        other.hold(DeliveryRoom::share_min - 1);
        CHECK(other.has_room());
        other.hold(1);
        CHECK_FALSE(other.has_room());
    }
    CHECK(other.has_room());  // with the end of the greedy one
    other.drop(DeliveryRoom::share_min);
    CHECK(other.has_room());
}
