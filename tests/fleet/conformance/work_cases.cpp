// Messages on their way: taken, made firm, given back, ended.
#include "tests/fleet/conformance/engine_cases.hpp"
#include "tests/fleet/conformance/fleet_in_rig.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <set>

namespace smsrack::test {
namespace {

using ports::SharedStage;
using Numbers = std::vector<std::int64_t>;

ports::PutMessage of_level(std::int64_t id, Level level) {
    auto put = FleetInRig::message(id);
    put.message.level = level;
    return put;
}

void take_order(EngineRig& rig) {
    const FleetInRig fleet(rig);
    REQUIRE(fleet.put(0, {of_level(10, 3), of_level(9, 3), of_level(8, 6), of_level(7, 0)}));
    REQUIRE(fleet.put(1, {of_level(1, 3), of_level(2, 6)}));
    CHECK(fleet.take(2, 3) == Numbers{8, 2, 10});
    CHECK(fleet.take(2, 9, 1) == Numbers{9, 1});
    CHECK(fleet.take(2, 9, 1).empty());
    // A message that was given back is as old as before.
    CHECK(fleet.give_back(2, {1, 10}) == Numbers{1, 10});
    REQUIRE(fleet.put(0, {of_level(11, 3)}));
    CHECK(fleet.take(1, 9) == Numbers{10, 1, 11, 7});
}

void take_by_wishes(EngineRig& rig) {
    const FleetInRig fleet(rig);
    for (std::int64_t id = 1; id <= 6; ++id) {
        auto put = FleetInRig::message(id);
        put.message.group = id % 2 == 0 ? "even" : "odd";
        REQUIRE(fleet.put(0, {put}));
    }
    auto unnamed = FleetInRig::message(7);
    unnamed.message.group.clear();
    REQUIRE(fleet.put(0, {unnamed}));
    const auto taken = ask(rig, 1,
                           ports::TakeMessages{.seat = fleet.seats[1],
                                               .wishes = {{.group = "odd", .limit = 1},
                                                          {.group = "even", .limit = 2},
                                                          {.group = "", .limit = 2},
                                                          {.group = "none", .limit = 2}}})
                           .value();
    Numbers ids;
    for (const auto& one : taken) {
        ids.push_back(one.id.value);
    }
    CHECK(ids == Numbers{1, 2, 4, 7});
    CHECK(fleet.find(1)->seat == fleet.seats[1]);
    CHECK(fleet.stage(3) == SharedStage::waiting);
}

void take_at_once(EngineRig& rig) {
    constexpr std::int64_t count = 200;
    const FleetInRig fleet(rig);
    fleet.keep(0, 1, count);
    std::vector<std::shared_ptr<Pending<std::vector<ports::SharedMessage>>>> pending;
    for (int round = 0; round < 12; ++round) {
        for (std::size_t box = 0; box < EngineRig::box_count; ++box) {
            pending.push_back(post(rig, box,
                                   ports::TakeMessages{.seat = fleet.seats[box],
                                                       .wishes = {{.group = "g", .limit = 10}}}));
        }
    }
    REQUIRE(rig.run_until([&] {
        return std::ranges::all_of(pending, [](const auto& one) { return one->is_there(); });
    }));
    std::multiset<std::int64_t> all;
    for (const auto& one : pending) {
        const auto taken = one->get().value();
        for (const auto& message : taken) {
            all.insert(message.id.value);
        }
    }
    for (std::size_t box = 0; box < EngineRig::box_count; ++box) {
        for (const std::int64_t rest : fleet.take(box, count)) {
            all.insert(rest);
        }
    }
    CHECK(all.size() == count);
    CHECK(std::set(all.begin(), all.end()).size() == count);
    CHECK(fleet.beat(0).waiting == 0);
}

void sticky(EngineRig& rig) {
    const FleetInRig fleet(rig);
    const auto name = [&](std::size_t box, const std::vector<std::string>& iccids) {
        ports::NameSims command{.seat = fleet.seats[box]};
        for (const std::string& iccid : iccids) {
            command.sims.push_back({.iccid = iccid, .group = "g"});
        }
        REQUIRE(ask(rig, box, command));
    };
    const auto to_sim = [&](std::int64_t id, const char* iccid) {
        auto put = FleetInRig::message(id);
        put.message.sticky_iccid = iccid;
        REQUIRE(fleet.put(0, {put}));
    };
    name(0, {"s0", "moves"});
    name(1, {"s1"});
    to_sim(1, "s0");
    to_sim(2, "s1");
    to_sim(3, "unknown");
    to_sim(4, "moves");
    fleet.keep(0, 5);
    CHECK(fleet.take(2, 9) == Numbers{3, 5});
    CHECK(fleet.take(1, 9) == Numbers{2});
    name(0, {"s0"});
    name(1, {"moves", "s1"});  // the card was put into another box
    CHECK(fleet.take(1, 9) == Numbers{4});
    to_sim(6, "s1");
    CHECK(fleet.take(2, 9).empty());
    CHECK(fleet.take(2, 9, 0, {fleet.seats[1].box}) == Numbers{6});
    to_sim(8, "s1");
    CHECK(fleet.take(2, 9).empty());
    REQUIRE(ask(rig, 1,
                ports::NameSims{.seat = fleet.seats[1],
                                .sims = {{.iccid = "s1", .place = ports::SimPlace::perhaps}}}));
    CHECK(fleet.take(2, 9).empty());
    name(1, {"moves"});
    CHECK(fleet.take(2, 9) == Numbers{8});  // s1 is in no box now
    REQUIRE(
        ask(rig, 1,
            ports::NameSims{.seat = fleet.seats[1], .sims = {{.iccid = "s1", .group = "other"}}}));
    to_sim(9, "s1");
    CHECK(fleet.take(2, 9) == Numbers{9});  // its modem sends for another group
    name(1, {"s1"});
    to_sim(10, "s1");
    CHECK(fleet.take(2, 9).empty());
    CHECK(fleet.take(0, 9) == Numbers{1});
    const auto late = ask(rig, 2,
                          ports::TakeMessages{.seat = fleet.seats[2],
                                              .wishes = {{.group = "g", .limit = 9}},
                                              .sticky_wait = std::chrono::seconds(-1)});
    CHECK(late->size() == 1);  // it has waited long enough
    to_sim(7, "s1");
    REQUIRE(ask(
        rig, 0,
        ports::SetLife{.seat = fleet.seats[0], .name = "box1", .life = ports::BoxLife::draining}));
    CHECK(fleet.take(2, 9) == Numbers{7});  // its box takes nothing new
}

void knows_the_sim(EngineRig& rig) {
    const FleetInRig fleet(rig);
    const auto to = [&](std::int64_t id, const char* recipient, bool is_sticky = true) {
        auto put = FleetInRig::message(id);
        put.checks.recipient = recipient;
        put.message.sticky_iccid = "s0";
        put.message.is_sticky = is_sticky;
        REQUIRE(fleet.put(2, {put}));
    };
    for (const std::size_t box : {0UL, 1UL}) {
        REQUIRE(ask(rig, box,
                    ports::NameSims{.seat = fleet.seats[box],
                                    .sims = {{.iccid = "s" + std::to_string(box), .group = "g"}}}));
    }
    to(1, "aa");
    to(2, "bb");
    CHECK(fleet.take(1, 9).empty());
    CHECK(fleet.take(0, 9) == Numbers{1, 2});
    const auto sent_by = [&](std::int64_t id, const char* iccid) {
        REQUIRE(ask(rig, 0,
                    ports::SettleMessages{.seat = fleet.seats[0],
                                          .messages = {{.message = MessageId{id},
                                                        .state = MessageState::sent,
                                                        .sticky_iccid = iccid}}}));
    };
    sent_by(1, "s1");
    sent_by(2, "");
    to(3, "aa");
    to(4, "bb");
    to(5, "aa", false);  // its client has chosen the SIM
    CHECK(fleet.take(1, 9) == Numbers{3});
    CHECK(fleet.take(0, 9) == Numbers{4, 5});
    CHECK(ask(rig, 2, ports::ForgetEnded{.seat = fleet.seats[2], .limit = 100}).value() == 2);
    to(6, "aa");
    CHECK(fleet.take(1, 9).empty());
    CHECK(fleet.take(0, 9) == Numbers{6});
}

void firm_what_is_held(EngineRig& rig) {
    const FleetInRig fleet(rig);
    fleet.keep(0, 1, 3);
    fleet.keep(1, 10, 1, SharedStage::held);
    CHECK(fleet.firm(0, {1}).empty());  // it waits
    REQUIRE(fleet.take(0, 2) == Numbers{1, 2});
    CHECK(fleet.firm(0, {1, 2, 3, 10, 99}) == Numbers{1, 2});
    CHECK(fleet.firm(0, {2, 1}) == Numbers{2, 1});  // again, after an unknown outcome
    CHECK(fleet.firm(1, {1}).empty());
    CHECK(fleet.stage(10) == SharedStage::held);
    CHECK(fleet.stage(2) == SharedStage::firm);
}

void give_back_own(EngineRig& rig) {
    const FleetInRig fleet(rig);
    fleet.keep(0, 1, 1, SharedStage::held);
    fleet.keep(0, 2, 1, SharedStage::firm);
    fleet.keep(1, 3, 1, SharedStage::firm);
    CHECK(fleet.give_back(0, {1, 2}) == Numbers{1, 2});
    CHECK(fleet.give_back(0, {1, 2}) == Numbers{1, 2});
    CHECK(fleet.stage(1) == SharedStage::waiting);
    CHECK(fleet.stage(2) == SharedStage::waiting);
    // They are not its own, so they are not its any more.
    CHECK(fleet.give_back(0, {3, 99}) == Numbers{3, 99});
    CHECK(fleet.stage(3) == SharedStage::firm);
    REQUIRE(fleet.settle(1, {.message = MessageId{3}}));
    CHECK(fleet.give_back(1, {3}).empty());
    CHECK(fleet.give_back(0, {3}) == Numbers{3});
    CHECK(fleet.stage(3) == SharedStage::ended);
}

void settle_rules(EngineRig& rig) {
    struct Case {
        const char* what;
        std::size_t by;
        SharedStage stage;
        bool unbegun;
        bool ends;
    };
    const FleetInRig fleet(rig);
    std::int64_t id = 100;
    for (const Case& it : {
             Case{"what this box holds and has begun", 0, SharedStage::held, false, true},
             Case{"what this box holds and has not begun", 0, SharedStage::held, true, true},
             Case{"what this box has firm", 0, SharedStage::firm, false, true},
             Case{"what this box has firm and has not begun", 0, SharedStage::firm, true, true},
             Case{"what waits, and this box has not begun", 1, SharedStage::waiting, true, true},
             Case{"what waits, and this box has begun before", 1, SharedStage::waiting, false,
                  true},
             Case{"what another box holds, and this one has begun", 1, SharedStage::held, false,
                  true},
             Case{"what another box holds, and this one has not begun", 1, SharedStage::held, true,
                  false},
             Case{"what another box has firm", 1, SharedStage::firm, false, false},
             Case{"what another box has firm, unbegun", 1, SharedStage::firm, true, false},
         }) {
        CAPTURE(std::string(it.what));
        fleet.keep(0, ++id, 1, it.stage);
        CHECK(fleet.settle(it.by, {.message = MessageId{id},
                                   .state = MessageState::sent,
                                   .unbegun = it.unbegun}) == it.ends);
        const auto now = fleet.find(id).value();
        CHECK(now.stage == (it.ends ? SharedStage::ended : it.stage));
        if (it.ends) {
            CHECK(now.state == MessageState::sent);
            CHECK(fleet.settle(1, {.message = MessageId{id}, .state = MessageState::delivered}));
            CHECK(fleet.find(id)->state == MessageState::delivered);
        }
    }
    CHECK_FALSE(fleet.settle(0, {.message = MessageId{9}}));  // not known
    // In one command, the later of one message holds.
    fleet.keep(0, 1, 1, SharedStage::firm);
    REQUIRE(ask(rig, 0,
                ports::SettleMessages{
                    .seat = fleet.seats[0],
                    .messages = {{.message = MessageId{1}, .state = MessageState::sent},
                                 {.message = MessageId{1}, .state = MessageState::delivered}}}));
    CHECK(fleet.find(1)->state == MessageState::delivered);
}

void settle_after_take_over(EngineRig& rig) {
    FleetInRig fleet(rig);
    fleet.keep(0, 1, 1, SharedStage::held);
    fleet.keep(0, 2, 2, SharedStage::firm);
    REQUIRE(fleet.take_over(1, 0).value() == 1);
    REQUIRE(fleet.take(1, 9) == Numbers{1});
    fleet.seats[0] = fleet.enter(0);
    // What it had firm may have been begun; what it held was not.
    CHECK(fleet.settle(0, {.message = MessageId{2}, .state = MessageState::sent}));
    CHECK_FALSE(fleet.settle(0, {.message = MessageId{1}, .unbegun = true}));
    CHECK(fleet.stage(1) == SharedStage::held);
    CHECK(fleet.firm(1, {1}) == Numbers{1});
    CHECK(fleet.firm(0, {3}) == Numbers{3});
}

ports::TakeFirm take_firm(const FleetInRig& fleet, const ports::BoxRow& seen, bool resend,
                          std::size_t limit = 9) {
    return {.seat = fleet.seats[1],
            .from = {.box = seen.box, .epoch = seen.epoch},
            .beats = seen.beats,
            .resend = resend,
            .limit = limit};
}

void take_firm_again(EngineRig& rig) {
    FleetInRig fleet(rig);
    fleet.keep(0, 1, 3, SharedStage::firm);
    fleet.keep(0, 4, 1, SharedStage::held);
    const auto early = fleet.row(0);
    REQUIRE(fleet.take_over(1, 0).value() == 1);
    CHECK(ask(rig, 1, take_firm(fleet, early, true)).error().code == Errc::conflict);
    const auto seen = fleet.row(0);
    const auto some = ask(rig, 1, take_firm(fleet, seen, true, 2)).value();
    CHECK(FleetInRig::numbers(some) == Numbers{1, 2});
    CHECK(FleetInRig::numbers(ask(rig, 1, take_firm(fleet, seen, true)).value()) == Numbers{3});
    CHECK(ask(rig, 1, take_firm(fleet, seen, true))->empty());
    CHECK(fleet.take(2, 9) == Numbers{1, 2, 3, 4});
    // The first box had begun it after all.
    fleet.seats[0] = fleet.enter(0);
    CHECK(fleet.firm(0, {1, 2, 3, 4}).empty());
    CHECK(fleet.firm(2, {2}) == Numbers{2});
    CHECK(fleet.settle(0, {.message = MessageId{1}, .state = MessageState::sent}));
    CHECK_FALSE(fleet.settle(0, {.message = MessageId{2}, .state = MessageState::sent}));
    CHECK(fleet.firm(2, {1, 2}) == Numbers{2});
}

void take_firm_ends(EngineRig& rig) {
    FleetInRig fleet(rig);
    auto put = FleetInRig::message(1, SharedStage::firm);
    put.checks.client = "shop";
    REQUIRE(fleet.put(0, {put}));
    REQUIRE(fleet.take_over(1, 0));
    CHECK(ask(rig, 1, take_firm(fleet, fleet.row(0), false))->size() == 1);
    CHECK(fleet.stage(1) == SharedStage::ended);
    CHECK(fleet.find(1)->state == MessageState::failed);
    CHECK(fleet.find(1)->is_decided);
    CHECK(fleet.find(1)->seat.box == fleet.seats[0].box);
    auto other = FleetInRig::message(2);
    other.checks.client = "shop";
    other.checks.client_waiting_max = 1;
    CHECK(fleet.put_one(1, other).outcome == ports::PutOutcome::kept);
    fleet.seats[0] = fleet.enter(0);
    CHECK(fleet.settle(0, {.message = MessageId{1}, .state = MessageState::delivered}));
    CHECK(fleet.find(1)->state == MessageState::delivered);
}

void finds(EngineRig& rig) {
    const FleetInRig fleet(rig);
    fleet.keep(0, 1);
    fleet.keep(1, 2, 1, SharedStage::held);
    fleet.keep(2, 3, 1, SharedStage::firm);
    fleet.keep(2, 4, 1, SharedStage::firm);
    REQUIRE(fleet.settle(2, {.message = MessageId{4}, .state = MessageState::expired}));
    auto found = ask(rig, 0,
                     ports::FindMessages{.seat = fleet.seats[0],
                                         .messages = FleetInRig::ids({4, 3, 9, 2, 1})})
                     .value();
    REQUIRE(found.size() == 4);
    std::ranges::sort(found, {}, &ports::Whereabouts::message);
    CHECK(found[0].stage == SharedStage::waiting);
    CHECK(found[1].stage == SharedStage::held);
    CHECK(found[1].seat == fleet.seats[1]);
    CHECK(found[2].stage == SharedStage::firm);
    CHECK(found[2].seat == fleet.seats[2]);
    CHECK(found[3].stage == SharedStage::ended);
    CHECK(found[3].state == MessageState::expired);
    CHECK(found[3].seat.box == fleet.seats[2].box);
    CHECK_FALSE(found[3].is_decided);
}

/// The box that accepted it may not have read yet that another one sent it.
void late_expiry_changes_nothing(EngineRig& rig) {
    const FleetInRig fleet(rig);
    fleet.keep(0, 1, 1, SharedStage::firm);
    REQUIRE(fleet.settle(0, {.message = MessageId{1}, .state = MessageState::sent}));
    CHECK_FALSE(fleet.settle(
        1, {.message = MessageId{1}, .state = MessageState::expired, .unbegun = true}));
    CHECK(fleet.find(1)->state == MessageState::sent);
    CHECK(fleet.settle(0, {.message = MessageId{1}, .state = MessageState::delivered}));
    CHECK(fleet.find(1)->state == MessageState::delivered);
}

constexpr std::array cases{
    EngineCase{"an end of what was not begun changes no other end", late_expiry_changes_nothing},
    EngineCase{"the highest level is taken first, then the longest waiting", take_order},
    EngineCase{"a box takes of each wish what it asks for", take_by_wishes},
    EngineCase{"three boxes that take at once get each message once", take_at_once},
    EngineCase{"a message with a sticky SIM goes to the box that named it last", sticky},
    EngineCase{"the engine knows by which SIM any box has sent to a recipient", knows_the_sim},
    EngineCase{"only what a box holds becomes firm", firm_what_is_held},
    EngineCase{"a box gives back what is its own", give_back_own},
    EngineCase{"who may end a message depends on where it is", settle_rules},
    EngineCase{"after a take-over the first box ends what it had firm, and not what it held",
               settle_after_take_over},
    EngineCase{"firm messages of a silent box wait again by the operator's policy",
               take_firm_again},
    EngineCase{"or they end failed", take_firm_ends},
    EngineCase{"a message is found where it is", finds},
};

}  // namespace

std::span<const EngineCase> work_cases() {
    return cases;
}

}  // namespace smsrack::test
