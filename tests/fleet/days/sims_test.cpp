// A SIM that moves from box to box: what it has sent goes with it, and it sends from one box at a time.
#include "tests/fleet/days/few_boxes.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

constexpr std::uint32_t a_month = 5;

struct Rig : test::FewBoxes {
    explicit Rig(cluster::FleetSettings settings = {}) : FewBoxes(2, std::move(settings)) {
        for (const std::size_t at : {0UL, 1UL}) {
            box(at).insert("own" + std::to_string(at), a_month);
            box(at).take_out();
        }
        run_for(10s);
    }

    void insert(std::size_t at) { box(at).insert("8933", a_month); }
    /// Hands in `count` messages at a box. Gives how many of all went out meanwhile.
    int sent(std::size_t at, int count, std::chrono::milliseconds wait = 30s) {
        for (int i = 0; i < count; ++i) {
            const auto id = box(at).submit({.to = "+3361234567" + std::to_string(i),
                                            .text = std::to_string(++texts_),
                                            .life = std::chrono::hours(24)});
            REQUIRE(id);
            ids_.push_back({at, *id});
        }
        run_for(wait);
        return static_cast<int>(std::erase_if(ids_, [this](const auto& one) {
            const auto& [home, id] = one;
            const auto row = box(home).runs()
                                 ? box(home).row(id)
                                 : Result<ports::MessageRow>(fail(Errc::closed, "it is down"));
            return row && row->state == MessageState::sent;
        }));
    }

private:
    std::vector<std::pair<std::size_t, MessageId>> ids_ = {};
    int texts_ = 0;
};

}  // namespace

TEST_CASE("fleet: a SIM that is put into another box sends there what its month has left") {
    Rig rig;
    rig.insert(0);
    CHECK(rig.sent(0, 2) == 2);
    rig.box(0).take_out();
    rig.insert(1);
    CHECK(rig.sent(1, 1) == 1);
    rig.box(1).take_out();
    rig.insert(0);
    CHECK(rig.sent(0, 1) == 1);
    rig.box(0).take_out();
    rig.insert(1);
    CHECK(rig.sent(1, 3) == 1);
}

TEST_CASE("fleet: a SIM that was out for a moment sends on, in the same box") {
    Rig rig;
    rig.insert(0);
    CHECK(rig.sent(0, 2) == 2);
    rig.box(0).take_out();
    rig.insert(0);
    CHECK(rig.sent(0, 1) == 1);
    rig.box(0).take_out();
    rig.run_for(20s);
    rig.insert(0);
    CHECK(rig.sent(0, 4) == 2);
}

TEST_CASE("fleet: the last segments of a SIM are known, also where it is moved at once") {
    Rig rig;
    rig.insert(0);
    CHECK(rig.sent(0, 3, 900ms) == 0);
    rig.box(0).take_out();
    rig.insert(1);
    CHECK(rig.sent(1, 6) == 5);
}

TEST_CASE("fleet: a SIM that two boxes have sends from the first one, until that has it no more") {
    Rig rig;
    rig.insert(0);
    rig.run_for(10s);
    rig.insert(1);
    rig.run_for(10s);
    CHECK(rig.box(1).sim_is_in() == "box box1");
    CHECK(rig.box(0).sim_is_in().empty());
    CHECK(rig.sent(1, 1) == 1);  // by the other box
    rig.box(0).take_out();
    rig.run_for(10s);
    CHECK(rig.box(1).sim_is_in().empty());
    CHECK(rig.sent(1, 9) == 4);

    // The first one has it again, and is heard; then it dies, and the SIM is the other one's.
    rig.insert(0);
    rig.run_for(10s);
    CHECK(rig.box(0).sim_is_in() == "box box2");
    rig.box(1).kill({});
    rig.run_for(40s);
    CHECK(rig.box(0).sim_is_in().empty());
}

TEST_CASE(
    "fleet: a SIM that comes while the engine is away sends nothing, or by the box's own count") {
    for (const bool own_count : {false, true}) {
        CAPTURE(own_count);
        Rig rig({.quota_by_own_count = own_count});
        rig.insert(0);
        CHECK(rig.sent(0, 3) == 3);
        rig.box(0).take_out();
        rig.run_for(10s);
        rig.engine.cut(1, test::Cut::both);
        rig.run_for(10s);
        rig.insert(1);
        rig.run_for(20s);
        CHECK(rig.sent(1, 1) == (own_count ? 1 : 0));
        rig.engine.cut(1, test::Cut::none);
        rig.run_for(10s);
        // What it sent by itself counts as well.
        CHECK(rig.sent(1, 4) == (own_count ? 1 : 2));
    }
}

TEST_CASE(
    "fleet: a SIM that stays sends on while the engine is away, over a restart, by all counts") {
    Rig rig;
    rig.insert(0);
    CHECK(rig.sent(0, 2) == 2);
    rig.box(0).take_out();
    rig.insert(1);
    CHECK(rig.sent(1, 1) == 1);
    rig.engine.cut(1, test::Cut::both);
    rig.run_for(10s);
    rig.box(1).kill({});
    rig.box(1).start();
    rig.run_for(20s);
    CHECK(rig.sent(1, 4) == 2);
}

TEST_CASE(
    "fleet: a modem that needs a while after a start finds what was heard of its SIM before") {
    Rig rig;
    rig.insert(1);
    CHECK(rig.sent(1, 1) == 1);
    rig.box(1).kill({});
    rig.box(1).take_out();
    rig.box(1).start();
    rig.run_for(20s);  // the box has its seat, and the modem has not spoken
    rig.engine.cut(1, test::Cut::both);
    rig.run_for(20s);
    rig.insert(1);
    rig.run_for(20s);
    CHECK(rig.sent(1, 1) == 1);
}

TEST_CASE("fleet: what a box sent before it died is known when it is back, and counts at once") {
    Rig rig;
    rig.insert(0);
    CHECK(rig.sent(0, 1) == 1);
    rig.engine.cut(0, test::Cut::both);  // its count does not come to the engine
    rig.run_for(20s);
    CHECK(rig.sent(0, 2) == 2);
    rig.box(0).take_out();
    rig.box(0).kill({});
    rig.run_for(30s);
    rig.insert(1);
    CHECK(rig.sent(1, 1) == 1);
    rig.engine.cut(0, test::Cut::none);
    rig.box(0).start();
    rig.run_for(20s);
    CHECK(rig.sent(1, 1) == 1);
    CHECK(rig.sent(1, 3) == 0);
}
