// An engine that a box doubts, and what boxes put back into it.
#include "tests/fleet/conformance/engine_cases.hpp"
#include "tests/fleet/conformance/fleet_in_rig.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace smsrack::test {
namespace {

using ports::BoxLife;
using ports::SharedStage;
using std::chrono::milliseconds;

bool is_outdated(const FleetInRig& fleet, std::size_t box) {
    const auto beat = ask(fleet.rig, box, ports::Beat{.seat = fleet.seats[box]});
    return !beat && beat.error().detail == ports::epoch_outdated;
}

void doubt(const FleetInRig& fleet, std::size_t box) {
    REQUIRE(ask(fleet.rig, box, ports::Doubt{.seat = fleet.seats[box]}));
}
void rebuild(const FleetInRig& fleet, std::size_t box) {
    REQUIRE(ask(fleet.rig, box, ports::Rebuild{.seat = fleet.seats[box]}));
}
void enter_in_rebuild(FleetInRig& fleet) {
    doubt(fleet, 0);
    rebuild(fleet, 0);
    for (std::size_t box = 0; box < 3; ++box) {
        fleet.seats[box] = fleet.enter(box);
    }
}
void put_back(const FleetInRig& fleet, std::size_t box) {
    REQUIRE(ask(fleet.rig, box, ports::NotePutBack{.seat = fleet.seats[box]}));
}

void names_itself(EngineRig& rig) {
    const FleetInRig fleet(rig);
    const auto first = fleet.entry(0);
    CHECK_FALSE(first.engine.name.empty());
    CHECK_FALSE(first.engine.life.empty());
    CHECK(first.has_put_back);
    CHECK(first.all_have);
    CHECK_FALSE(first.is_doubted);
    CHECK(fleet.entry(1).engine == first.engine);
    const auto second = fleet.entry(0);
    CHECK(second.beats == first.beats + 1);
    const ports::BoxReport report{.wall = WallTime{milliseconds(77)}};
    REQUIRE(ask(rig, 0, ports::Beat{.seat = second.seat, .report = report}));
    const auto third = fleet.entry(0);
    CHECK(third.beats == second.beats + 2);
    CHECK(third.wall == report.wall);
}

void doubt_ends_other_seats(EngineRig& rig) {
    FleetInRig fleet(rig);
    fleet.keep(0, 1, 1, SharedStage::held);
    fleet.keep(1, 2, 1, SharedStage::held);
    fleet.keep(1, 3, 1, SharedStage::firm);
    doubt(fleet, 0);
    CHECK_FALSE(is_outdated(fleet, 0));
    CHECK(is_outdated(fleet, 1));
    CHECK(is_outdated(fleet, 2));
    doubt(fleet, 0);
    CHECK_FALSE(is_outdated(fleet, 0));
    const auto entry = fleet.entry(1);
    CHECK(entry.is_doubted);
    CHECK(entry.has_put_back);
    fleet.seats[1] = entry.seat;
    fleet.seats[2] = fleet.enter(2);
    CHECK(fleet.stage(1) == SharedStage::held);
    CHECK(fleet.stage(2) == SharedStage::waiting);
    CHECK(fleet.stage(3) == SharedStage::firm);
    doubt(fleet, 1);  // as it is: no seat ends
    CHECK_FALSE(is_outdated(fleet, 0));
}

void all_put_back(EngineRig& rig) {
    FleetInRig fleet(rig);
    const auto before = fleet.entry(0);
    fleet.seats[0] = before.seat;
    doubt(fleet, 0);
    rebuild(fleet, 0);
    for (std::size_t box = 0; box < 3; ++box) {
        CHECK(is_outdated(fleet, box));
        const auto entry = fleet.entry(box);
        CHECK(entry.engine.name == before.engine.name);
        CHECK(entry.engine.life != before.engine.life);
        CHECK_FALSE(entry.is_doubted);
        CHECK_FALSE(entry.has_put_back);
        CHECK_FALSE(entry.all_have);
        fleet.seats[box] = entry.seat;
    }
    put_back(fleet, 0);
    put_back(fleet, 2);
    const auto rows = fleet.beat(0).boxes;
    CHECK(std::array{rows.at(0).has_put_back, rows.at(1).has_put_back, rows.at(2).has_put_back} ==
          std::array{true, false, true});
    const auto before_last = fleet.entry(0);
    CHECK(before_last.has_put_back);
    CHECK_FALSE(before_last.all_have);
    put_back(fleet, 1);
    CHECK(fleet.entry(0).all_have);
    CHECK(ask(rig, 0, ports::RegisterBox{.who = {.name = "new", .key = "n"}}));
    CHECK(fleet.entry(0).all_have);  // a new box has nothing
    fleet.seats[0] = fleet.enter(0);
    rebuild(fleet, 0);
    CHECK(fleet.entry(1).engine.life != before.engine.life);
}

void wall_stays(EngineRig& rig) {
    FleetInRig fleet(rig);
    const auto beat = [&](std::int64_t wall) {
        const ports::BoxReport report{.version = "1", .wall = WallTime{milliseconds(wall)}};
        REQUIRE(ask(rig, 0, ports::Beat{.seat = fleet.seats[0], .report = report}));
    };
    beat(100);
    beat(0);
    CHECK(fleet.row(0).report.wall == WallTime{milliseconds(100)});
    CHECK(fleet.entry(0).wall == WallTime{milliseconds(100)});
}

void epoch_never_comes_twice(EngineRig& rig) {
    const FleetInRig fleet(rig);
    const auto enter = [&](std::int64_t after) {
        return must(ask(rig, 0,
                        ports::EnterFleet{.who = FleetInRig::who(0),
                                          .after = ports::Epoch{after},
                                          .release = FleetInRig::release}))
            .seat.epoch.value;
    };
    const std::int64_t first = enter(0);
    CHECK(enter(first + 40) == first + 41);
    CHECK(enter(first) == first + 42);
}

void dead_box_may_have_begun(EngineRig& rig) {
    FleetInRig fleet(rig);
    const auto set = [&](const char* name, BoxLife life) {
        return ask(rig, 0, ports::SetLife{.seat = fleet.seats[0], .name = name, .life = life});
    };
    const auto note = [&](std::size_t limit) {
        return must(ask(rig, 0, ports::NotePutBack{.seat = fleet.seats[0], .limit = limit}));
    };
    const auto waiting = [&] { return fleet.beat(0).waiting; };
    fleet.keep(0, 1, 3);
    // Before the doubt: it has begun nothing that is not known.
    REQUIRE(set("box2", BoxLife::dead));
    doubt(fleet, 0);
    CHECK(set("box1", BoxLife::left).error().code == Errc::conflict);
    rebuild(fleet, 0);
    fleet.seats[0] = fleet.enter(0);
    fleet.seats[1] = fleet.enter(1);
    CHECK(set("box1", BoxLife::left).error().code == Errc::conflict);
    CHECK(note(9));
    CHECK_FALSE(fleet.beat(0).boxes.at(0).is_waited_for);
    CHECK(fleet.beat(0).boxes.at(1).is_waited_for);
    CHECK_FALSE(fleet.beat(0).boxes.at(2).is_waited_for);
    put_back(fleet, 1);
    CHECK(waiting() == 3);

    doubt(fleet, 0);
    fleet.seats[1] = fleet.enter(1);
    REQUIRE(set("box1", BoxLife::dead));
    rebuild(fleet, 0);
    fleet.seats[0] = fleet.enter(0);
    CHECK(waiting() == 3);
    CHECK_FALSE(note(2));
    CHECK_FALSE(fleet.entry(0).all_have);
    fleet.seats[0] = fleet.enter(0);
    CHECK(note(2));
    CHECK(fleet.entry(0).all_have);
    fleet.seats[0] = fleet.enter(0);
    const auto rows = fleet.beat(0);
    CHECK(rows.waiting == 0);
    CHECK(rows.boxes.at(1).firm == 3);
    fleet.keep(0, 4);
    CHECK(waiting() == 1);                // it came later
    REQUIRE(set("box1", BoxLife::dead));  // once more
    CHECK(note(9));
    CHECK(waiting() == 1);
    // It was not dead after all. The others do not wait for what it puts back; what it does not know waits.
    const auto entry = fleet.entry(1);
    CHECK_FALSE(entry.has_put_back);
    CHECK(entry.all_have);
    fleet.seats[1] = entry.seat;
    CHECK(fleet.put(1, {FleetInRig::message(2, SharedStage::firm)}));
    put_back(fleet, 1);
    CHECK(fleet.entry(1).has_put_back);
    CHECK(fleet.beat(0).boxes.at(1).firm == 1);
    CHECK(waiting() == 3);
}

void firm_of_before(EngineRig& rig) {
    FleetInRig fleet(rig);
    fleet.keep(0, 1, 4, SharedStage::firm);
    enter_in_rebuild(fleet);
    const auto put = [&](std::size_t box, std::int64_t id) {
        (void)fleet.put_one(box, FleetInRig::message(id, SharedStage::firm));
    };
    const auto of = [&](std::int64_t id) { return fleet.find(id).value().seat.box; };
    put(1, 1);  // it went to another box since the backup
    put(0, 2);
    put(1, 2);  // too late: its box has put it back
    CHECK(of(1) == fleet.seats[1].box);
    CHECK(of(2) == fleet.seats[0].box);
    put_back(fleet, 0);
    CHECK(of(1) == fleet.seats[1].box);
    CHECK(of(2) == fleet.seats[0].box);
    CHECK(fleet.stage(3) == SharedStage::waiting);  // its box does not know it
    put(2, 3);
    CHECK(of(3) == fleet.seats[2].box);
    put_back(fleet, 1);
    put_back(fleet, 2);
    const auto rows = fleet.beat(0);
    CHECK(rows.waiting == 1);
    CHECK(rows.boxes.at(0).firm == 1);
    CHECK(rows.boxes.at(1).firm == 1);
    CHECK(rows.boxes.at(2).firm == 1);
}

void firm_is_claimed(EngineRig& rig) {
    FleetInRig fleet(rig);
    fleet.keep(0, 1, 4);
    CHECK(fleet.take(1, 1) == std::vector<std::int64_t>{1});
    CHECK(fleet.take(1, 1) == std::vector<std::int64_t>{2});
    CHECK(fleet.firm(1, {2}).size() == 1);
    for (const std::int64_t id : {1, 2, 3}) {
        (void)fleet.put_one(2, FleetInRig::message(id, SharedStage::firm));
    }
    (void)fleet.put_one(2, FleetInRig::message(4, SharedStage::held));
    const auto of = [&](std::int64_t id) { return fleet.find(id).value().seat.box; };
    CHECK(of(1) == fleet.seats[2].box);
    CHECK(of(2) == fleet.seats[1].box);
    CHECK(of(3) == fleet.seats[2].box);
    CHECK(fleet.stage(4) == SharedStage::waiting);
    CHECK(fleet.firm(1, {1}).empty());
    const auto rows = fleet.beat(0);
    CHECK(rows.waiting == 1);
    CHECK(rows.boxes.at(1).held == 0);
    CHECK(rows.boxes.at(1).firm == 1);
    CHECK(rows.boxes.at(2).firm == 2);
    CHECK(fleet.settle(2, {.message = MessageId{1}}));
    (void)fleet.put_one(2, FleetInRig::message(1, SharedStage::firm));
    CHECK(fleet.stage(1) == SharedStage::ended);
}

void begun_is_claimed(EngineRig& rig) {
    FleetInRig fleet(rig);
    fleet.keep(0, 1, 3, SharedStage::firm);
    enter_in_rebuild(fleet);
    const auto put = [&](std::size_t box, std::int64_t id, bool is_begun) {
        auto message = FleetInRig::message(id, SharedStage::firm);
        message.is_begun = is_begun;
        CHECK(fleet.put_one(box, message).outcome == ports::PutOutcome::kept);
    };
    const auto of = [&](std::int64_t id) { return fleet.find(id).value().seat.box; };
    for (const std::int64_t id : {1, 2, 3}) {
        put(0, id, false);
        put(1, id, true);
        put(2, id, false);
    }
    CHECK(of(1) == fleet.seats[1].box);
    CHECK(fleet.firm(0, {1}).empty());
    CHECK(fleet.settle(1, {.message = MessageId{1}, .state = MessageState::failed}));
    put(0, 1, true);
    CHECK(fleet.stage(1) == SharedStage::ended);
    const auto rows = fleet.beat(0);
    CHECK(rows.boxes.at(0).firm == 0);
    CHECK(rows.boxes.at(1).firm == 2);
    CHECK(rows.boxes.at(2).firm == 0);
}

void ref_comes_later(EngineRig& rig) {
    const FleetInRig fleet(rig);
    fleet.keep(1, 1, 1, SharedStage::firm);  // of a box that did not know its ref
    auto with_ref = FleetInRig::message(1);
    with_ref.checks.ref = "r";
    with_ref.checks.fingerprint = 7;
    CHECK(fleet.put_one(0, with_ref).outcome == ports::PutOutcome::kept);
    CHECK(fleet.stage(1) == SharedStage::firm);
    auto other = FleetInRig::message(2);
    other.checks.ref = "r";
    other.checks.fingerprint = 7;
    const auto answer = fleet.put_one(0, other);
    CHECK(answer.outcome == ports::PutOutcome::repeated);
    CHECK(answer.first == MessageId{1});
}

void pairs_are_claimed(EngineRig& rig) {
    const FleetInRig fleet(rig);
    REQUIRE(ask(
        rig, 0,
        ports::PutPairs{
            .seat = fleet.seats[0],
            .pairs = {{.pair = "it's", .message = MessageId{1}},
                      {.pair = "old", .message = MessageId{2}, .age = std::chrono::hours(48)}}}));
    REQUIRE(ask(rig, 1,
                ports::PutPairs{.seat = fleet.seats[1],
                                .pairs = {{.pair = "it's", .message = MessageId{9}}}}));
    auto own = FleetInRig::message(1);
    own.checks.pair = "it's";
    CHECK(fleet.put_one(0, own).outcome == ports::PutOutcome::kept);
    auto other = FleetInRig::message(3);
    other.checks.pair = "it's";
    const auto answer = fleet.put_one(1, other);
    CHECK(answer.outcome == ports::PutOutcome::seen);
    CHECK(answer.first == MessageId{1});
}

ports::RegisterBox box_named(const char* name, std::int32_t number) {
    return {.who = {.name = name, .key = "k"}, .number = ports::BoxNumber{number}};
}

void engine_in_place_of_another(EngineRig& rig) {
    const auto join = [&](const char* name, std::int32_t number) {
        return ask(rig, 0, box_named(name, number));
    };
    const auto enter = [&](const char* name) {
        return must(ask(
            rig, 0,
            ports::EnterFleet{.who = {.name = name, .key = "k"}, .release = FleetInRig::release}));
    };
    CHECK(join("c", 3).value() == ports::BoxNumber{3});
    CHECK(join("c", 3).value() == ports::BoxNumber{3});
    CHECK(join("d", 3).error().code == Errc::conflict);
    CHECK(join("a", 1).value() == ports::BoxNumber{1});
    CHECK(join("new", 0).error().code == Errc::conflict);  // its number may be forgotten
    const auto entry = enter("c");
    CHECK(entry.is_doubted);
    CHECK_FALSE(entry.has_put_back);
    REQUIRE(ask(rig, 0, ports::Rebuild{.seat = entry.seat}));
    CHECK(join("new", 0).error().code == Errc::conflict);
    CHECK(join("b", 2).value() == ports::BoxNumber{2});  // it is waited for, too
    for (const char* name : {"a", "b", "c"}) {
        const auto again = enter(name);
        CHECK_FALSE(again.all_have);
        REQUIRE(ask(rig, 0, ports::NotePutBack{.seat = again.seat}));
    }
    CHECK(enter("a").all_have);
    CHECK(join("new", 0).value() == ports::BoxNumber{4});
}

void box_of_another_fleet(EngineRig& rig) {
    const FleetInRig fleet(rig);
    REQUIRE(ask(rig, 0, box_named("other", 77)));
    const auto entry = fleet.entry(0);
    CHECK_FALSE(entry.is_doubted);
    CHECK(entry.all_have);
    const auto other = must(ask(
        rig, 1,
        ports::EnterFleet{.who = {.name = "other", .key = "k"}, .release = FleetInRig::release}));
    CHECK_FALSE(other.has_put_back);
    CHECK(other.all_have);
}

constexpr std::array cases{
    EngineCase{"an engine names itself, counts entries, and knows each box's last time",
               names_itself},
    EngineCase{"a doubt ends the seats of all others, once", doubt_ends_other_seats},
    EngineCase{"after a rebuild was ordered each box puts back what it has", all_put_back},
    EngineCase{"a beat without a time leaves the one before", wall_stays},
    EngineCase{"a box that knows a later epoch gets one behind that", epoch_never_comes_twice},
    EngineCase{"what waits may have been begun by a box that died in doubt",
               dead_box_may_have_begun},
    EngineCase{"what is put again as firm is its box's, unless another one has it firm",
               firm_is_claimed},
    EngineCase{"what its box has certainly begun is its own, also where another one has it firm",
               begun_is_claimed},
    EngineCase{"the box that accepted a message gives its ref later", ref_comes_later},
    EngineCase{"pairs are claimed for what has ended", pairs_are_claimed},
    EngineCase{"in a rebuild firm messages are their boxes' that put them back", firm_of_before},
    EngineCase{"an engine whose first box has a number is in the place of another one",
               engine_in_place_of_another},
    EngineCase{"a box of another fleet stops no box of this one", box_of_another_fleet}};

}  // namespace

std::span<const EngineCase> rebuild_cases() {
    return cases;
}

}  // namespace smsrack::test
