// Boxes as nodes of the scaling policy: which one goes or comes, when several decide at once, and what becomes of its work.
#include "tests/fleet/days/few_boxes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;
using ports::BoxLife;
using ports::PowerOrder;

namespace {

constexpr auto period = 1s;
constexpr auto window = 10 * period;
constexpr auto lease = 15s;

cluster::FleetSettings settings() {
    return {.lease = lease,
            .scaling = {
                .enabled = true,
                .rules = {.n_min = 2, .n_max = 8, .samples = 10, .period = period, .node_rate = 1},
                .learn_node_rate = false,
                .wake_within = 60s}};
}

/// What a rack of switches does with the boxes of the test; all of them can reach it.
class Switches final : public ports::BoxPower {
public:
    [[nodiscard]] bool is_there() const override { return there; }
    void order(PowerOrder what, std::string box, ports::Done<void> done) override {
        const auto word = ports::power_order_names.at(static_cast<std::size_t>(what));
        orders.push_back(std::string(word) + " " + box);
        done(act(what, box));
    }

    bool there = true;
    std::function<Result<>(PowerOrder, const std::string&)> act;
    std::vector<std::string> orders = {};
};

struct Rig : test::FewBoxes {
    explicit Rig(std::size_t boxes, cluster::FleetSettings with = settings())
        : FewBoxes(boxes, std::move(with)), count(boxes) {
        switches.act = [this](PowerOrder what, const std::string& name) -> Result<> {
            if (broken == name) {
                return fail(Errc::conflict, "the program ended with 4: no answer");
            }
            test::FleetBox& one = box(place_of(name));
            if (what == PowerOrder::wake && !one.runs() && dead != name) {
                one.start();
            } else if (what != PowerOrder::wake && one.runs()) {
                one.kill({});
            }
            return {};
        };
        // All begin at the same moment.
        for (std::size_t i = 0; i < count; ++i) {
            box(i).kill({});
        }
        for (std::size_t i = 0; i < count; ++i) {
            box(i).power = &switches;
            box(i).start();
        }
    }

    static std::size_t place_of(const std::string& name) {
        return static_cast<std::size_t>(name.back() - '1');
    }
    void load(double busy, double asked) {
        for (std::size_t i = 0; i < count; ++i) {
            box(i).work.busy = busy;
            box(i).work.asked = asked;
        }
    }
    BoxLife life(std::size_t at) {
        return engine.state().life_of(BoxNumber{static_cast<std::int32_t>(at) + 1});
    }
    std::size_t with_life(BoxLife wanted) {
        std::size_t found = 0;
        for (std::size_t i = 0; i < count; ++i) {
            found += life(i) == wanted ? 1U : 0U;
        }
        return found;
    }
    bool run_until(auto done, std::chrono::seconds within) {
        for (auto gone = 0s; gone < within && !done(); gone += 1s) {
            run_for(1s);
        }
        return done();
    }
    std::vector<std::string> decided() {
        std::vector<std::string> all;
        for (std::size_t i = 0; i < count; ++i) {
            all.insert(all.end(), box(i).decided.begin(), box(i).decided.end());
        }
        return all;
    }
    bool says(const std::string& words) {
        return std::ranges::any_of(decided(),
                                   [&](const std::string& one) { return one.contains(words); });
    }
    /// Parks all that the policy lets go.
    void park(std::size_t boxes) {
        REQUIRE(run_until([&] { return with_life(BoxLife::parked) == boxes; }, 600s));
        run_for(30s);
    }

    const std::size_t count;
    Switches switches;
    std::string broken = {};  // no order to this box succeeds
    std::string dead = {};    // it does not start, although it is switched on
};

}  // namespace

TEST_CASE(
    "fleet: of three boxes that decide at once one does, and the one with least work is parked") {
    Rig rig(3);
    REQUIRE(rig.run_until([&] { return rig.engine.state().decision().number > 0; }, 120s));
    CHECK(rig.engine.state().decision().number == 1);
    CHECK(rig.with_life(BoxLife::draining) == 1);
    CHECK(rig.life(2) == BoxLife::draining);
    REQUIRE(rig.run_until([&] { return rig.life(2) == BoxLife::parked; }, 60s));
    CHECK(rig.switches.orders == std::vector<std::string>{"park box3"});
    CHECK_FALSE(rig.box(2).runs());
    // n_min stays.
    rig.run_for(10 * window);
    CHECK(rig.engine.state().decision().number == 2);
    CHECK(rig.decided().size() == 2);
    CHECK(rig.says("drained: box3"));
    CHECK(rig.says("box3 has nothing left and is parked"));
    CHECK(rig.box(0).desk().scaler().shown().nodes == 2);
}

TEST_CASE("fleet: nothing is decided by a box that can't wake others") {
    Rig rig(3);
    rig.switches.there = false;
    rig.run_for(10 * window);
    CHECK(rig.engine.state().decision().number == 0);
    CHECK_FALSE(rig.box(0).desk().scaler().shown().can_order);
    CHECK(rig.box(0).desk().scaler().shown().nodes == 3);
}

TEST_CASE("fleet: nothing is decided in the first lease after a start") {
    static_assert(window < lease);
    Rig rig(3);
    rig.run_for(lease - 1s);
    CHECK(rig.engine.state().decision().number == 0);
    CHECK(rig.run_until([&] { return rig.engine.state().decision().number > 0; }, 60s));
}

TEST_CASE("fleet: a box with a message that waits for its time is not parked") {
    Rig rig(3);
    REQUIRE(
        rig.box(2).submit({.to = "+33612345678", .text = "tomorrow", .life = 48h, .after = 24h}));
    CHECK(rig.run_until([&] { return rig.with_life(BoxLife::parked) == 1; }, 300s));
    CHECK(rig.life(2) == BoxLife::running);
    CHECK(rig.box(0).desk().scaler().why_it_stays(BoxNumber{3}) == "scheduled");
}

TEST_CASE("fleet: a decision whose answer was lost is carried out") {
    Rig rig(3);
    rig.engine.times.trip = 2s;
    REQUIRE(rig.run_until([&] { return rig.engine.state().decision().number == 2; }, 300s));
    for (std::size_t i = 0; i < rig.count; ++i) {
        rig.engine.break_link(i);
    }
    rig.engine.times.trip = 2ms;
    CHECK(rig.run_until([&] { return !rig.switches.orders.empty(); }, 60s));
    CHECK(rig.switches.orders.front() == "park box3");
}

TEST_CASE("fleet: what a parked box had is sent by others, each message once") {
    Rig rig(3);
    rig.load(0.5, 0.5);
    std::vector<MessageId> ids;
    for (int n = 0; n < 40; ++n) {
        const auto id = rig.box(2).submit({.to = fmt::format("+336123456{:02}", n),
                                           .text = std::to_string(n),
                                           .life = std::chrono::hours(1)});
        REQUIRE(id);
        ids.push_back(*id);
    }
    rig.run_for(5s);
    rig.engine.link(0).post(ports::DecideLife{.seat = *rig.box(0).desk().seat().seat(),
                                              .box = BoxNumber{3},
                                              .from = BoxLife::running,
                                              .to = BoxLife::draining},
                            {});
    rig.run_for(2s);
    CHECK(rig.life(2) == BoxLife::draining);
    REQUIRE(rig.run_until([&] { return rig.life(2) == BoxLife::parked; }, 120s));
    CHECK_FALSE(rig.box(2).runs());
    const auto& messages = rig.engine.state().messages();
    CHECK(rig.run_until(
        [&] {
            return std::ranges::all_of(ids, [&](MessageId id) {
                return messages.at(id).stage == ports::SharedStage::ended;
            });
        },
        300s));
    CHECK(std::ranges::any_of(
        ids, [&](MessageId id) { return messages.at(id).ended_of != BoxNumber{3}; }));
    for (const MessageId id : ids) {
        CHECK(messages.at(id).state == MessageState::sent);
    }
}

TEST_CASE("fleet: a box whose SIMs await reports is not parked, unless it is configured so") {
    for (const bool park_awaited : {false, true}) {
        CAPTURE(park_awaited);
        auto with = settings();
        with.scaling.park_awaited = park_awaited;
        Rig rig(3, with);
        REQUIRE(rig.box(2).submit({.to = "+33612345678",
                                   .text = "tell me",
                                   .life = std::chrono::hours(2),
                                   .report = true}));
        CHECK(rig.run_until([&] { return rig.with_life(BoxLife::parked) == 1; }, 300s));
        CHECK((rig.life(2) == BoxLife::parked) == park_awaited);
        CHECK(rig.box(0).desk().scaler().why_it_stays(BoxNumber{3}) ==
              (park_awaited ? "" : "reports"));
    }
}

TEST_CASE(
    "fleet: a box with the SIM that a recipient knows is not parked, as long as that counts") {
    for (const auto sticky : {std::chrono::days(0), std::chrono::days(30)}) {
        CAPTURE(sticky.count());
        auto with = settings();
        with.scaling.sticky = sticky;
        Rig rig(3, with);
        rig.box(2).insert("8944", 100);
        rig.run_for(5s);
        REQUIRE(rig.box(2).submit({.to = "+33612345678",
                                   .text = "hello",
                                   .life = std::chrono::hours(2),
                                   .sticky = true}));
        CHECK(rig.run_until([&] { return rig.with_life(BoxLife::parked) == 1; }, 300s));
        CHECK((rig.life(2) == BoxLife::parked) == (sticky.count() == 0));
    }
}

TEST_CASE("fleet: a parked box is woken when the load needs it, and takes work") {
    Rig rig(3);
    rig.park(1);
    rig.load(0.9, 1);
    REQUIRE(rig.run_until([&] { return rig.life(2) == BoxLife::running; }, 300s));
    CHECK(rig.switches.orders == std::vector<std::string>{"park box3", "wake box3"});
    rig.run_for(20s);
    CHECK(rig.box(2).runs());
    CHECK(rig.box(0).desk().scaler().shown().nodes == 3);
    CHECK(rig.box(0).desk().scaler().shown().trouble.empty());
    CHECK(rig.box(2).desk().seat().takes_work());
}

TEST_CASE("fleet: where a box can't be woken another one is, and it is said") {
    Rig rig(4);
    rig.park(2);
    CHECK(rig.life(2) == BoxLife::parked);
    CHECK(rig.life(3) == BoxLife::parked);
    rig.broken = "box3";
    rig.load(0.9, 1);
    REQUIRE(rig.run_until([&] { return rig.life(3) == BoxLife::running; }, 300s));
    rig.run_for(20s);
    CHECK(rig.life(2) == BoxLife::parked);
    CHECK(rig.box(3).runs());
    CHECK(rig.says("box3 could not be woken: the program ended with 4: no answer"));
    CHECK(rig.says("instead of box3; woken: box4"));
}

TEST_CASE("fleet: where a woken box does not come in time another one is woken, and it is said") {
    Rig rig(4);
    rig.park(2);
    rig.dead = "box3";
    rig.load(0.9, 1);
    REQUIRE(rig.run_until([&] { return rig.life(2) == BoxLife::running; }, 300s));
    CHECK(rig.life(3) == BoxLife::parked);
    rig.run_for(40s);
    CHECK(rig.life(3) == BoxLife::parked);
    REQUIRE(rig.run_until([&] { return rig.life(3) == BoxLife::running; }, 60s));
    rig.run_for(20s);
    CHECK(rig.box(3).runs());
    CHECK(rig.says("box3 was woken and has not come within 60 s"));
    // It is late, and works all the same.
    rig.box(2).start();
    rig.run_for(20s);
    CHECK(rig.box(2).desk().seat().takes_work());
}

TEST_CASE("fleet: a box that dies is replaced by a parked one at once") {
    Rig rig(3);
    rig.park(1);
    rig.load(0.5, 0.5);
    rig.run_for(window);
    rig.box(1).kill({});
    CHECK(rig.run_until([&] { return rig.life(2) == BoxLife::running; }, lease + 3 * period + 5s));
}

TEST_CASE("fleet: a box that could not be parked is named, and is the first to come back") {
    Rig rig(3);
    rig.broken = "box3";
    REQUIRE(rig.run_until([&] { return rig.life(2) == BoxLife::parked; }, 300s));
    rig.run_for(10s);
    CHECK(rig.box(2).runs());
    CHECK(rig.says("box3 could not be parked"));
    CHECK_FALSE(rig.box(2).desk().seat().takes_work());
    rig.broken.clear();
    rig.load(0.9, 1);
    CHECK(rig.run_until([&] { return rig.life(2) == BoxLife::running; }, 300s));
}

TEST_CASE("fleet: another box parks what drains, where the one that decided is silent") {
    Rig rig(4);
    rig.load(0.5, 0.5);
    REQUIRE(rig.box(3).submit({.to = "+33612345678", .text = "hold", .life = 1h}));
    rig.run_for(1s);
    rig.engine.link(0).post(ports::DecideLife{.seat = *rig.box(0).desk().seat().seat(),
                                              .box = BoxNumber{4},
                                              .from = BoxLife::running,
                                              .to = BoxLife::draining},
                            {});
    rig.run_for(1s);
    rig.box(0).kill({});
    CHECK(rig.run_until([&] { return rig.life(3) == BoxLife::parked; }, 60s));
    CHECK(rig.engine.state().decision().by != BoxNumber{1});
}

TEST_CASE("fleet: a box that drains and still awaits a report is not parked, and resumes") {
    Rig rig(3);
    rig.load(0.5, 0.5);
    REQUIRE(
        rig.box(2).submit({.to = "+33612345678", .text = "tell me", .life = 2h, .report = true}));
    rig.run_for(20s);
    rig.engine.link(0).post(ports::DecideLife{.seat = *rig.box(0).desk().seat().seat(),
                                              .box = BoxNumber{3},
                                              .from = BoxLife::running,
                                              .to = BoxLife::draining},
                            {});
    rig.run_for(2min);
    CHECK(rig.life(2) == BoxLife::draining);
    CHECK(rig.run_until([&] { return rig.life(2) == BoxLife::running; }, 600s));
    CHECK(rig.switches.orders.empty());
    CHECK(rig.says("box3 could not be parked within 600 s and resumes"));
}

TEST_CASE("fleet: where no box can park what drains, it resumes") {
    Rig rig(3);
    rig.load(0.5, 0.5);
    rig.run_for(20s);
    rig.switches.there = false;
    rig.engine.link(0).post(ports::DecideLife{.seat = *rig.box(0).desk().seat().seat(),
                                              .box = BoxNumber{3},
                                              .from = BoxLife::running,
                                              .to = BoxLife::draining},
                            {});
    rig.run_for(5min);
    CHECK(rig.life(2) == BoxLife::draining);
    CHECK(rig.run_until([&] { return rig.life(2) == BoxLife::running; }, 600s));
    CHECK(rig.engine.state().decision().number == 2);
}

TEST_CASE("fleet: a box that runs although the program says that it could not be woken stays") {
    Rig rig(3);
    rig.broken = "box3";
    REQUIRE(rig.run_until([&] { return rig.says("box3 could not be parked"); }, 300s));
    rig.load(0.9, 1);
    REQUIRE(rig.run_until([&] { return rig.life(2) == BoxLife::running; }, 300s));
    rig.run_for(2min);
    CHECK(rig.life(2) == BoxLife::running);
    CHECK(rig.box(2).desk().seat().takes_work());
    CHECK_FALSE(rig.says("could not be woken"));
}

TEST_CASE("fleet: a person's word ends what was decided") {
    Rig rig(3);
    rig.load(0.5, 0.5);
    rig.run_for(20s);
    const auto seat = *rig.box(0).desk().seat().seat();
    rig.engine.link(0).post(
        ports::DecideLife{
            .seat = seat, .box = BoxNumber{3}, .from = BoxLife::running, .to = BoxLife::draining},
        {});
    rig.run_for(1s);
    REQUIRE(rig.life(2) == BoxLife::draining);
    rig.engine.link(0).post(ports::SetLife{.seat = seat, .name = "box3", .life = BoxLife::running},
                            {});
    rig.run_for(5 * window);
    CHECK(rig.life(2) == BoxLife::running);
    CHECK(rig.switches.orders.empty());
    CHECK(rig.engine.state().decision().number == 2);
    CHECK(rig.engine.state().decision().box == BoxNumber{});
}

TEST_CASE("fleet: a box that a person drains is not taken for one that the policy drains") {
    Rig rig(3);
    rig.load(0.5, 0.5);
    rig.run_for(20s);
    // It has something that holds it.
    REQUIRE(rig.box(2).submit({.to = "+33612345678", .text = "later", .life = 24h, .after = 1h}));
    rig.load(0, 0);
    REQUIRE(rig.run_until([&] { return rig.engine.state().decision().number > 0; }, 300s));
    const auto drained = rig.engine.state().decision().box;
    const std::string name = "box" + std::to_string(drained.value);
    REQUIRE(rig.engine.state().decision().life == BoxLife::draining);
    rig.load(0.5, 0.5);  // no further decision
    const auto order = [&](BoxLife life) {
        rig.engine.link(0).post(
            ports::SetLife{.seat = *rig.box(0).desk().seat().seat(), .name = name, .life = life},
            {});
        rig.run_for(20s);
    };
    order(BoxLife::running);
    const auto number = rig.engine.state().decision().number;
    rig.switches.orders.clear();
    order(BoxLife::draining);
    SUBCASE("by those that saw it") {}
    SUBCASE("nor by those that start only afterwards") {
        for (std::size_t box = 0; box < rig.count; ++box) {
            rig.box(box).kill({});
            rig.box(box).start();
        }
    }
    rig.run_for(20min);
    CHECK(rig.engine.state().life_of(drained) == BoxLife::draining);
    CHECK(rig.engine.state().decision().number == number);
    CHECK(rig.switches.orders.empty());
}

TEST_CASE("fleet: a decision whose answer was lost is not carried out over a person's word") {
    Rig rig(3);
    const auto own = [&](std::int64_t messages) {
        for (std::size_t i = 0; i < rig.count; ++i) {
            rig.box(i).work.own = messages;
        }
    };
    own(1);
    REQUIRE(rig.run_until([&] { return rig.engine.state().decision().number == 1; }, 300s));
    rig.load(0.5, 0.5);  // no further one but to park it
    rig.run_for(3 * window);
    rig.engine.times.trip = 2s;
    own(0);
    REQUIRE(rig.run_until([&] { return rig.engine.state().decision().number == 2; }, 300s));
    const auto parked = rig.engine.state().decision();
    REQUIRE(parked.life == BoxLife::parked);
    rig.engine.break_link(static_cast<std::size_t>(parked.by.value - 1));
    rig.engine.times.trip = 2ms;
    const auto other = parked.by == BoxNumber{1} ? 1U : 0U;
    rig.engine.link(other).post(ports::SetLife{.seat = *rig.box(other).desk().seat().seat(),
                                               .name = "box" + std::to_string(parked.box.value),
                                               .life = BoxLife::running},
                                {});
    rig.run_for(2min);
    CHECK(rig.engine.state().life_of(parked.box) == BoxLife::running);
    CHECK(rig.engine.state().decision().number == 3);  // with the person's word
    CHECK(rig.switches.orders.empty());
}

TEST_CASE("fleet: while the engine is away nothing is decided, and afterwards it is") {
    Rig rig(3);
    rig.run_for(5s);
    for (std::size_t i = 0; i < 3; ++i) {
        rig.engine.cut(i, test::Cut::both);
    }
    rig.run_for(10 * window);
    CHECK(rig.engine.state().decision().number == 0);
    for (std::size_t i = 0; i < 3; ++i) {
        rig.engine.cut(i, test::Cut::none);
    }
    CHECK(rig.run_until([&] { return rig.with_life(BoxLife::parked) == 1; }, 300s));
}
