// When a box makes firm what its clients hand in.
#include "tests/fleet/days/few_boxes.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

struct Rig : test::FewBoxes {
    Rig() : FewBoxes(1) { run_for(10s); }

    MessageId submit() {
        const auto id = box(0).submit({.to = "+33612345678", .text = "text", .life = 1h});
        REQUIRE(id);
        return *id;
    }
    bool is_firm(MessageId id) { return box(0).place_of(id)->stage == FleetStage::firm; }
};

}  // namespace

TEST_CASE("fleet: a message that comes alone is made firm at once") {
    Rig rig;
    const MessageId id = rig.submit();
    rig.run_for(15ms);  // the engine is asked twice, 2 ms each way
    CHECK(rig.is_firm(id));
}

TEST_CASE("fleet: messages that come one after the other are made firm some at a time") {
    Rig rig;
    constexpr std::uint64_t messages = 40;
    const auto before = rig.engine.transactions();
    MessageId last;
    for (std::uint64_t i = 0; i < messages; ++i) {
        last = rig.submit();
        rig.run_for(10ms);
    }
    // Each is put by itself, and less than every other one is followed by a commit that makes some firm. A beat may come in between.
    CHECK(rig.engine.transactions() - before <= messages + messages / 2 + 2);
    rig.run_for(40ms);
    CHECK(rig.is_firm(last));
}
