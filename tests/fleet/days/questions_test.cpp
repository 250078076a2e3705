// A box asks another one what its API says.
#include "tests/fleet/days/few_boxes.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;
using cluster::Questions;

namespace {

using Said = std::shared_ptr<std::optional<Result<ports::BoxAnswer>>>;

struct Rig : test::FewBoxes {
    Rig() : FewBoxes(3) { run_for(10s); }

    /// By box 1.
    Said ask(const std::string& name, const ports::BoxAsker& by = {.name = "uid 1"}) {
        auto said = std::make_shared<std::optional<Result<ports::BoxAnswer>>>();
        box(0).desk().questions().ask(
            name, {.path = "/v1/inbox", .params = {{"limit", "5"}}}, by,
            [said](Result<ports::BoxAnswer> answer) { *said = std::move(answer); });
        return said;
    }
    Errc refusal(const std::string& name, const ports::BoxAsker& by = {.name = "uid 1"}) {
        const Said said = ask(name, by);
        REQUIRE(*said);
        REQUIRE_FALSE(**said);
        return (**said).error().code;
    }
};

}  // namespace

TEST_CASE("fleet: another box answers a question at once, not with its next beat") {
    Rig rig;
    const Said said = rig.ask("box2");
    rig.run_for(100ms);
    REQUIRE(*said);
    REQUIRE(**said);
    CHECK((**said)->status == 200);
    CHECK((**said)->body == "box 2: /v1/inbox limit=5");
    CHECK(rig.box(1).questions == 1);
    rig.run_for(1min);
    CHECK(rig.box(1).questions == 1);
}

TEST_CASE("fleet: a question behind a transaction that is still open is answered all the same") {
    Rig rig;
    rig.engine.hold(2, true);  // of a rule that the third box tells
    REQUIRE(rig.box(2).order("+33612345678", true, [](Kept) {}));
    rig.run_for(50ms);
    const Said said = rig.ask("box2");
    rig.run_for(150ms);
    REQUIRE_FALSE(*said);
    rig.engine.hold(2, false);
    rig.run_for(200ms);
    REQUIRE(*said);
    CHECK(**said);
}

TEST_CASE("fleet: a box that is not there, is this one, or does not run is not asked") {
    Rig rig;
    CHECK(rig.refusal("box9") == Errc::not_found);
    CHECK(rig.refusal("box1") == Errc::conflict);
    rig.box(1).kill({});
    rig.run_for(20s);
    CHECK(rig.refusal("box2") == Errc::conflict);
    rig.engine.cut(0, test::Cut::both);
    rig.run_for(1min);
    CHECK(rig.refusal("box2") == Errc::cluster_away);
}

TEST_CASE("fleet: a question without an answer fails in time, and is not answered later") {
    Rig rig;
    SUBCASE("since the box is off") {
        rig.box(1).kill({});
    }
    SUBCASE("since its link is cut") {
        rig.engine.cut(1, test::Cut::both);
    }
    const Said said = rig.ask("box2");
    rig.run_for(Questions::within + 1s);
    REQUIRE(*said);
    REQUIRE_FALSE(**said);
    CHECK((**said).error().code == Errc::timeout);
    rig.run_for(30s);
    if (!rig.box(1).runs()) {
        rig.box(1).start();
    }
    rig.engine.cut(1, test::Cut::none);
    rig.run_for(30s);
    CHECK(rig.box(1).questions == 0);
}

TEST_CASE("fleet: no more questions wait than there is room for, and an administrator gets in") {
    Rig rig;
    std::vector<Said> all;
    const auto fill = [&](const ports::BoxAsker& by, std::size_t most) {
        for (std::size_t i = 0; i < most; ++i) {
            all.push_back(rig.ask("box2", by));
            REQUIRE_FALSE(*all.back());
        }
        CHECK(rig.refusal("box2", by) == Errc::busy);
    };
    fill({.name = "uid 1"}, Questions::share_max);
    fill({.name = "uid 2"}, Questions::share_max);
    CHECK(rig.refusal("box2", {.name = "uid 3"}) == Errc::busy);
    fill({.name = "root", .is_admin = true}, 2);
    CHECK(all.size() == Questions::open_max);
    rig.run_for(1s);
    for (const Said& said : all) {
        REQUIRE(*said);
        REQUIRE(**said);
        CHECK((**said)->status == 200);
    }
    CHECK_FALSE(*rig.ask("box2"));  // there is room again
}

TEST_CASE("fleet: a question of a box that has gone is not answered a day later") {
    Rig rig;
    rig.box(1).kill({});
    const Said said = rig.ask("box2");
    rig.run_for(10ms);
    rig.box(0).kill({});
    rig.run_for(24h);
    rig.box(1).start();
    rig.run_for(1min);
    CHECK(rig.box(1).questions == 0);
}

TEST_CASE("fleet: an answer to a seat that has ended is no answer to the next one") {
    Rig rig;
    rig.box(1).answers_late = true;
    const Said first = rig.ask("box2");
    rig.run_for(1s);
    REQUIRE_FALSE(*first);
    rig.box(0).kill({});
    rig.box(0).start();
    rig.run_for(8s);
    const Said second = rig.ask("box2");
    rig.box(1).answer_the_first();
    rig.run_for(1s);
    CHECK_FALSE(*second);
}
