// Opt-outs that are ordered at one box of a fleet: the others obey in time, and the newest one holds.
#include "src/cluster/shared_hash.hpp"
#include "tests/fleet/days/few_boxes.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <utility>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

const std::string number = "+33612345678";

struct Rig : test::FewBoxes {
    explicit Rig(cluster::FleetSettings settings = {}) : FewBoxes(2, std::move(settings)) {
        run_for(10s);
    }

    /// How it was answered; nullopt: not yet.
    std::optional<Kept> order(std::size_t at, bool holds, std::chrono::milliseconds wait = 3s) {
        std::optional<Kept> kept;
        REQUIRE(box(at).order(number, holds, [&kept](Kept how) { kept = how; }));
        run_for(wait);
        return kept;
    }
    bool holds(std::size_t at) { return box(at).is_opted_out(number); }
    bool holds_in_engine() {
        const auto* const rule =
            engine.state().rule(ports::RuleKind::opt_out, cluster::shared_hash(number));
        return rule != nullptr && rule->rule.holds;
    }
};

}  // namespace

TEST_CASE("fleet: an opt-out at one box is obeyed by the other one within 2 s, and so is its end") {
    Rig rig;
    CHECK(rig.order(0, true, 2s) == Kept::cluster);
    CHECK(rig.holds(1));
    CHECK(rig.order(1, false, 2s) == Kept::cluster);
    CHECK_FALSE(rig.holds(0));
}

TEST_CASE("fleet: boxes that have nothing to say ask the engine for nothing but their beats") {
    Rig rig({.rules_max_age = 20s});
    CHECK(rig.order(0, true) == Kept::cluster);
    rig.run_for(30s);
    const auto before = rig.engine.transactions();
    rig.run_for(60s);
    // Five beats in a lease of 15 s, and the one at each end.
    CHECK(rig.engine.transactions() - before <= 2 * (60 / 3 + 1));
    // An answer of the engine says that the rules are known, as a look at them would.
    CHECK(rig.box(0).desk().knows_rules(0));
}

TEST_CASE(
    "fleet: an opt-out while the engine is away holds here at once, and there when it is back") {
    Rig rig;
    rig.engine.cut(0, test::Cut::both);
    CHECK(rig.order(0, true) == Kept::here);
    CHECK(rig.holds(0));
    CHECK_FALSE(rig.holds(1));
    rig.box(0).kill({});
    rig.box(0).start();
    rig.run_for(10s);
    CHECK(rig.holds(0));
    rig.engine.cut(0, test::Cut::none);
    rig.run_for(20s);
    CHECK(rig.holds(1));
}

TEST_CASE(
    "fleet: where the answer to an order was lost, a newer one of another box holds at both") {
    Rig rig;
    REQUIRE(rig.order(0, true) == Kept::cluster);
    rig.engine.chances.lost_after = 1'000;
    REQUIRE(rig.box(0).order(number, false, [](Kept) {}));
    rig.run_for(20ms);
    rig.engine.chances = {};
    rig.engine.cut(0, test::Cut::both);
    rig.run_for(10s);
    REQUIRE_FALSE(rig.holds(0));
    REQUIRE(rig.order(1, true) == Kept::cluster);
    rig.engine.cut(0, test::Cut::none);
    rig.run_for(20s);
    CHECK(rig.holds(1));
    CHECK(rig.holds(0));
}

TEST_CASE("fleet: an engine that was restored takes no opt-out back, and gets it again") {
    Rig rig;
    REQUIRE(rig.order(0, true) == Kept::cluster);
    REQUIRE(rig.order(1, false) == Kept::cluster);
    rig.engine.back_up();
    // So the boxes are ahead of the backup by more than they do until they read.
    rig.run_for(10min);
    REQUIRE(rig.order(0, true) == Kept::cluster);
    rig.run_for(5s);
    rig.engine.restore();
    REQUIRE_FALSE(rig.holds_in_engine());
    rig.run_for(10s);
    rig.engine.link(0).post(ports::Rebuild{.seat = rig.box(0).desk().seat().seat().value()}, {});
    rig.run_for(30s);
    CHECK(rig.holds(0));
    CHECK(rig.holds(1));
    CHECK(rig.holds_in_engine());
    rig.box(1).kill({});
    rig.box(1).start();
    rig.run_for(30s);
    CHECK(rig.holds(1));
    CHECK(rig.order(1, false) == Kept::cluster);
    CHECK_FALSE(rig.holds(0));
}
