// The faults of the engine's model: what a box hears, and what the engine has.
#include "tests/fleet/model/engine_model.hpp"

#include "tests/support/manual_clock.hpp"
#include "tests/support/seeded_random.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace std::chrono_literals;
using ports::SharedStage;

namespace {

struct ModelRig {
    ModelRig() {
        for (std::size_t box = 0; box < 2; ++box) {
            const ports::BoxName who{.name = "box" + std::to_string(box), .key = "key"};
            REQUIRE(ask(box, ports::RegisterBox{.who = who}));
            seats.push_back(ask(box, ports::EnterFleet{.who = who}).value().seat);
        }
    }

    template <typename Command>
    std::shared_ptr<std::optional<Result<typename Command::Answer>>> post(std::size_t box,
                                                                          Command command) {
        auto answer = std::make_shared<std::optional<Result<typename Command::Answer>>>();
        engine.link(box).post(std::move(command), [answer](Result<typename Command::Answer> got) {
            *answer = std::move(got);
        });
        return answer;
    }
    void run(std::chrono::milliseconds length) {
        const SteadyTime end = clock.steady() + length;
        while (clock.steady() < end) {
            clock.advance_to(std::min(end, engine.step(clock.steady())));
        }
        (void)engine.step(clock.steady());
    }
    template <typename Command>
    Result<typename Command::Answer> ask(std::size_t box, Command command) {
        const auto answer = post(box, std::move(command));
        run(200s);
        REQUIRE(*answer);
        return **answer;
    }
    ports::PutMessages put(std::size_t box, std::int64_t id) const {
        return {.seat = seats.at(box), .messages = {{.message = {.id = MessageId{id}}}}};
    }
    /// After a lost connection.
    void enter(std::size_t box) {
        seats.at(box) =
            ask(box, ports::EnterFleet{.who = {.name = "box" + std::to_string(box), .key = "key"}})
                .value()
                .seat;
    }
    bool has(std::int64_t id) const { return engine.state().messages().contains(MessageId{id}); }

    test::ManualClock clock;
    test::SeededRandom random{1};
    test::EngineModel engine{clock, random, 2};
    std::vector<ports::Seat> seats = {};
};

}  // namespace

TEST_CASE(
    "engine model: an answer that is lost is unknown, whether the command was carried out or not") {
    struct Case {
        const char* what;
        test::EngineChances chances;
        bool done;
    };
    for (const Case& it : {Case{"before the commit", {.lost_before = 1'000}, false},
                           Case{"after the commit", {.lost_after = 1'000}, true}}) {
        CAPTURE(it.what);
        ModelRig rig;
        rig.engine.chances = it.chances;
        const auto answer = rig.ask(0, rig.put(0, 7));
        REQUIRE_FALSE(answer);
        CHECK(answer.error().code == Errc::outcome_unknown);
        CHECK(rig.has(7) == it.done);
        rig.engine.chances = {};
        CHECK(rig.ask(0, rig.put(0, 7)).error().code == Errc::closed);
        rig.enter(0);
        CHECK(rig.ask(0, rig.put(0, 7)).value().messages.at(0).outcome == ports::PutOutcome::kept);
    }
}

TEST_CASE(
    "engine model: a cut is noticed after the timeouts, and the box can't know what was done") {
    struct Case {
        test::Cut cut;
        bool done;
    };
    for (const Case& it : {Case{test::Cut::both, false}, Case{test::Cut::requests, false},
                           Case{test::Cut::answers, true}}) {
        ModelRig rig;
        rig.engine.cut(0, it.cut);
        const auto first = rig.post(0, rig.put(0, 7));
        const auto second = rig.post(0, rig.put(0, 8));
        rig.run(1s);
        CHECK_FALSE(*first);
        rig.run(10s);
        CHECK((*first)->error().code == Errc::outcome_unknown);
        CHECK((*second)->error().code == Errc::closed);  // it was never sent
        CHECK(rig.has(7) == it.done);
        CHECK_FALSE(rig.has(8));
        CHECK(rig.ask(0, rig.put(0, 9)).error().code == Errc::closed);
        CHECK(rig.ask(1, rig.put(1, 9)));
        rig.engine.cut(0, test::Cut::none);
        CHECK(rig.ask(0, rig.put(0, 7)).error().code == Errc::closed);
        rig.enter(0);
        CHECK(rig.ask(0, rig.put(0, 7)));
    }
}

TEST_CASE(
    "engine model: a commit with a warning is unknown, and lost where the primary changes then") {
    for (const bool changes : {false, true}) {
        ModelRig rig;
        REQUIRE(rig.ask(0, rig.put(0, 6)));
        rig.engine.lose_standby(300s);
        CHECK(rig.ask(0, rig.put(0, 7)).error().code == Errc::outcome_unknown);
        CHECK(rig.has(7));
        if (changes) {
            rig.engine.change_primary(20s);
        } else {
            rig.run(200s);  // the standby is back, and gets what it missed
            REQUIRE(rig.ask(1, rig.put(1, 8)));
            rig.engine.change_primary(20s);
        }
        CHECK(rig.has(6));
        CHECK(rig.has(7) == !changes);
    }
}

TEST_CASE(
    "engine model: a rule of a slow transaction is read in its turn, though later ones came "
    "before") {
    ModelRig rig;
    const auto rule = [&](std::size_t box, std::string number) {
        return ports::KeepRules{.seat = rig.seats.at(box),
                                .rules = {{.subject = std::move(number), .number = 1}}};
    };
    rig.engine.chances.slow = 1'000;
    rig.engine.times.slow_for = 100s;
    const auto slow = rig.post(0, rule(0, "slow"));
    rig.run(100ms);
    rig.engine.chances = {};
    REQUIRE_FALSE(*slow);
    const auto fast = rig.post(1, rule(1, "fast"));
    rig.run(100ms);
    REQUIRE(*fast);
    const auto early = rig.post(1, ports::ReadRules{.seat = rig.seats[1], .limit = 9});
    rig.run(100ms);
    CHECK((*early)->value().rules.empty());  // the slow one could still come before
    rig.run(100s);
    const auto late = rig.ask(
        1, ports::ReadRules{.seat = rig.seats[1], .after = (*early)->value().mark, .limit = 9});
    REQUIRE(late.value().rules.size() == 2);
    CHECK(late.value().rules[0].subject == "slow");
}

TEST_CASE("engine model: a stall delays, a full disk refuses, a restore forgets") {
    ModelRig rig;
    rig.engine.back_up();
    rig.engine.stall(60s);
    const auto answer = rig.post(0, rig.put(0, 7));
    rig.run(59s);
    CHECK_FALSE(*answer);
    rig.run(2s);
    REQUIRE(*answer);
    CHECK((*answer)->has_value());
    rig.engine.fill_disk(true);
    CHECK(rig.ask(0, rig.put(0, 8)).error().code == Errc::storage);
    rig.engine.fill_disk(false);
    rig.engine.restore();
    CHECK_FALSE(rig.has(7));
}
