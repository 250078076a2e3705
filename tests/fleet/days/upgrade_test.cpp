// A box orders another one to hand over to another program.
#include "tests/fleet/days/few_boxes.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

const ports::UpgradeOrder new_program{.binary = "/opt/smsrackd", .hash = "new"};
using Carried = std::vector<std::pair<std::string, std::string>>;
const Carried once{{"box1", "/opt/smsrackd"}};

struct Rig : test::FewBoxes {
    Rig() : FewBoxes(3) { run_for(20s); }
    /// What box 1 is answered as it orders this.
    Result<> order(const std::string& name, bool again = false,
                   std::chrono::milliseconds within = 1s) {
        std::optional<Result<>> answer;
        box(0).desk().upgrader().order(name, new_program, again,
                                       [&](Result<> how) { answer = std::move(how); });
        run_for(within);
        REQUIRE(answer);
        return *answer;
    }
    /// Box 2 is ordered by this one, whatever comes of it.
    void give(std::size_t by) {
        box(by).desk().upgrader().order("box2", new_program, false, [](const Result<>&) {});
    }
    /// The second box ends as a program that hands over does.
    void begin_again(const std::string& program) {
        box(1).program = program;
        box(1).kill({});
        run_for(1s);
        box(1).start();
        run_for(20s);
    }
    cluster::Upgrader::Answer answer() {
        const auto& boxes = box(0).desk().seat().fleet().boxes;
        return box(0).desk().upgrader().answer_of(boxes.at(1));
    }
};

}  // namespace

TEST_CASE("fleet: an order to hand over is carried out by the box that it names, once") {
    Rig fleet;
    CHECK(fleet.order("box2"));
    fleet.run_for(30s);
    CHECK(fleet.box(1).upgrades == once);
    CHECK(fleet.box(2).upgrades.empty());
    CHECK(fleet.box(0).upgrades.empty());
    CHECK(fleet.answer().program.empty());
    CHECK(fleet.order("box2", true));  // it is about it
    fleet.run_for(10s);
    CHECK(fleet.box(1).upgrades == once);
    fleet.begin_again("new");
    // It does not say so by itself: only who waits for it wants to know.
    CHECK(fleet.order("box2", true));
    fleet.run_for(20s);
    CHECK(fleet.answer().program == "new");
    CHECK(fleet.answer().why_not.empty());
    CHECK(fleet.box(1).upgrades == once);
}

TEST_CASE("fleet: what a box has said of its program counts until it begins again") {
    Rig fleet;
    fleet.box(1).program = "new";
    CHECK(fleet.order("box2"));
    fleet.run_for(10s);
    REQUIRE(fleet.answer().program == "new");
    fleet.begin_again("old");  // as its unit starts it
    CHECK(fleet.answer().program.empty());
}

TEST_CASE("fleet: a box whose new program has ended does not begin once more by the same order") {
    Rig fleet;
    CHECK(fleet.order("box2"));
    fleet.run_for(10s);
    REQUIRE(fleet.box(1).upgrades == once);
    std::string why = "runs another program all the same";
    SUBCASE("its unit has started the old one") {
        fleet.begin_again("old");
    }
    SUBCASE("the successor has failed, and the old one knows why") {
        fleet.begin_again("old");
        fleet.box(1).desk().upgrader().begins_by_hand_over("the successor has ended");
        why = "the successor has ended";
    }
    for (int time = 0; time < 3; ++time) {
        CHECK(fleet.order("box2", true));
        fleet.run_for(10s);
        CHECK(fleet.answer().why_not.contains(why));
        CHECK(fleet.answer().program.empty());
    }
    CHECK(fleet.box(1).upgrades == once);
    CHECK(fleet.order("box2"));  // a person tries once more
    fleet.run_for(10s);
    CHECK(fleet.box(1).upgrades.size() == 2);
}

TEST_CASE("fleet: a box that does not hand over says why, as often as that order is repeated") {
    Rig fleet;
    fleet.box(1).refuses_upgrade = "another file";
    CHECK(fleet.order("box2"));
    fleet.run_for(30s);
    CHECK(fleet.answer().why_not == "another file");
    fleet.box(1).refuses_upgrade.clear();
    CHECK(fleet.order("box2", true));
    fleet.run_for(10s);
    CHECK(fleet.answer().why_not == "another file");
    CHECK(fleet.box(1).upgrades.size() == 1);
    CHECK(fleet.order("box2"));
    CHECK(fleet.answer().why_not.empty());
    fleet.run_for(30s);
    CHECK(fleet.box(1).upgrades.size() == 2);
    CHECK(fleet.answer().why_not.empty());
}

TEST_CASE("fleet: an order that comes late is not carried out") {
    Rig fleet;
    SUBCASE("the box that it names was off") {
        CHECK(fleet.order("box2", false, 200ms));
        fleet.box(1).kill({});
        fleet.box(1).upgrades.clear();
        fleet.run_for(5min);
    }
    SUBCASE("both were off, and the one that gave it is not back") {
        CHECK(fleet.order("box2", false, 200ms));
        fleet.box(1).kill({});
        fleet.box(1).upgrades.clear();
        fleet.box(0).kill({});
        fleet.run_for(5min);
    }
    fleet.box(1).start();
    fleet.run_for(2min);
    CHECK(fleet.box(1).upgrades.empty());
}

TEST_CASE(
    "fleet: wherever the link of a box breaks, an order that is repeated is carried out once") {
    for (auto at = 0ms; at < 8s; at += 250ms) {
        CAPTURE(at.count());
        Rig fleet;
        fleet.give(0);
        fleet.run_for(at);
        fleet.engine.break_link(1);
        for (int time = 0; time < 4; ++time) {
            (void)fleet.order("box2", true, 10s);
        }
        CHECK(fleet.box(1).upgrades == once);
        CHECK(fleet.answer().why_not.empty());
    }
}

TEST_CASE("fleet: while a box hands over it takes no order of another one") {
    Rig fleet;
    CHECK(fleet.order("box2"));
    fleet.run_for(10s);
    REQUIRE(fleet.box(1).upgrades == once);
    const std::string noted = fleet.box(1).upgrade_noted;
    fleet.give(2);
    fleet.run_for(20s);
    CHECK(fleet.box(1).upgrades == once);
    CHECK(fleet.box(1).upgrade_noted == noted);
}

TEST_CASE("fleet: an order that can't be carried out is refused at once") {
    Rig fleet;
    CHECK(fleet.order("box1").error().code == Errc::conflict);
    CHECK(fleet.order("box9").error().code == Errc::not_found);
    fleet.box(1).kill({});
    fleet.run_for(1min);
    CHECK(fleet.order("box2").error().code == Errc::conflict);
    fleet.box(0).kill({});
    fleet.box(0).start();
    CHECK(fleet.order("box3", false, 1ms).error().code == Errc::cluster_away);
}
