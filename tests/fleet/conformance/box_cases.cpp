// Boxes, seats, beats and take-over.
#include "tests/fleet/conformance/engine_cases.hpp"
#include "tests/fleet/conformance/fleet_in_rig.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace smsrack::test {
namespace {

using ports::BoxLife;
using ports::SharedStage;

void register_once(EngineRig& rig) {
    const auto register_as = [&](const char* name, const char* key) {
        return ask(rig, 0, ports::RegisterBox{.who = {.name = name, .key = key}, .site = "s"});
    };
    const auto first = register_as("north", "one");
    REQUIRE(first);
    CHECK(first->value >= 1);
    CHECK(register_as("north", "one").value() == *first);
    CHECK(register_as("south", "one").value() != *first);
    CHECK(register_as("north", "other").error().code == Errc::conflict);
}

void enter_with_key(EngineRig& rig) {
    const auto enter = [&](const char* name, const char* key, std::uint32_t release) {
        return ask(rig, 0,
                   ports::EnterFleet{.who = {.name = name, .key = key}, .release = release});
    };
    const auto box = ask(rig, 0, ports::RegisterBox{.who = {.name = "north", .key = "one"}});
    CHECK(enter("south", "one", FleetInRig::release).error().code == Errc::not_allowed);
    CHECK(enter("north", "two", FleetInRig::release).error().code == Errc::not_allowed);
    const auto first = enter("north", "one", FleetInRig::release).value().seat;
    CHECK(first.box == *box);
    const auto second = enter("north", "one", FleetInRig::release).value().seat;
    CHECK(second.epoch.value == first.epoch.value + 1);
}

/// Every command that names a seat, as the box with that seat would send it.
template <typename Check>
void for_each_command(ports::Seat seat, ports::Seat other, std::int64_t beats, Check check) {
    const auto ids = FleetInRig::ids({1});
    check("Beat", ports::Beat{.seat = seat});
    check("PutMessages", ports::PutMessages{.seat = seat, .messages = {FleetInRig::message(77)}});
    check("NameSims", ports::NameSims{.seat = seat, .sims = {{.iccid = "893"}}});
    check("TakeMessages",
          ports::TakeMessages{.seat = seat, .wishes = {{.group = "g", .limit = 9}}});
    check("FirmMessages", ports::FirmMessages{.seat = seat, .messages = ids});
    check("GiveBack", ports::GiveBack{.seat = seat, .messages = ids});
    check("SettleMessages",
          ports::SettleMessages{.seat = seat, .messages = {{.message = MessageId{1}}}});
    check("TakeOver", ports::TakeOver{.seat = seat, .from = other, .beats = beats});
    check("TakeFirm", ports::TakeFirm{.seat = seat, .from = other, .beats = beats, .limit = 9});
    check("ShareLoad", ports::ShareLoad{.seat = seat, .form = "load"});
    check("DecideLife", ports::DecideLife{.seat = seat, .box = other.box, .to = BoxLife::draining});
    check("SetLife", ports::SetLife{.seat = seat, .name = "box1", .life = BoxLife::dead});
    check("FindMessages", ports::FindMessages{.seat = seat, .messages = ids});
    check("ForgetEnded", ports::ForgetEnded{.seat = seat, .limit = 9});
    check("KeepRules", ports::KeepRules{.seat = seat, .rules = {{.subject = "x", .number = 1}}});
    check("ReadRules", ports::ReadRules{.seat = seat, .limit = 9});
    check("SendMail", ports::SendMail{.seat = seat, .mail = {{.to = other.box, .form = "x"}}});
    check("ReadMail", ports::ReadMail{.seat = seat, .limit = 9});
    check("PutPairs", ports::PutPairs{.seat = seat, .pairs = {{.pair = "p"}}});
    check("NotePutBack", ports::NotePutBack{.seat = seat});
    check("Doubt", ports::Doubt{.seat = seat});
    check("Rebuild", ports::Rebuild{.seat = seat});
}

void dead_epoch_does_nothing(EngineRig& rig) {
    FleetInRig fleet(rig);
    fleet.keep(0, 1, 1, SharedStage::held);
    fleet.keep(0, 2, 1);
    REQUIRE(fleet.take_over(1, 0).value() == 1);
    const auto refused = [&](const char* what, auto command) {
        CAPTURE(std::string(what));
        const auto answer = ask(rig, 0, std::move(command));
        REQUIRE_FALSE(answer);
        CAPTURE(answer.error().context);
        CHECK(answer.error().code == Errc::conflict);
        CHECK(answer.error().detail == ports::epoch_outdated);
    };
    const std::int64_t beats = fleet.beat(1).boxes.at(2).beats;
    for_each_command(fleet.seats[0], fleet.seats[2], beats, refused);
    for_each_command({.box = fleet.seats[0].box}, fleet.seats[2], beats,
                     refused);  // as before it entered
    for_each_command({.box = ports::BoxNumber{999}, .epoch = {1}}, fleet.seats[2], beats, refused);
    fleet.seats[0] = fleet.enter(0);
    CHECK(fleet.stage(1) == SharedStage::waiting);
    CHECK(fleet.stage(2) == SharedStage::waiting);
    CHECK_FALSE(fleet.find(77));
    CHECK(fleet.row(2).epoch == fleet.seats[2].epoch);
    CHECK(fleet.row(1).life == BoxLife::running);
    CHECK(ask(rig, 0, ports::ReadRules{.seat = fleet.seats[0], .limit = 9})->rules.empty());
    CHECK(ask(rig, 2, ports::ReadMail{.seat = fleet.seats[2], .limit = 9})->mail.empty());
    const auto load = ask(rig, 2, ports::ShareLoad{.seat = fleet.seats[2]}).value();
    CHECK(load.decision.number == 0);
    CHECK(load.boxes.size() == 1);
    CHECK(fleet.row(2).life == BoxLife::running);
}

void new_epoch_does_all(EngineRig& rig) {
    const FleetInRig fleet(rig);
    const auto silent = fleet.row(2);
    for_each_command(fleet.seats[0], {.box = silent.box, .epoch = silent.epoch}, silent.beats,
                     [&](const char* what, auto command) {
                         CAPTURE(std::string(what));
                         const auto answer = ask(rig, 0, std::move(command));
                         // After TakeOver its epoch is another one.
                         CHECK((answer || std::string_view(what) == "TakeFirm"));
                     });
}

void beat_tells_of_the_fleet(EngineRig& rig) {
    const FleetInRig fleet(rig);
    fleet.keep(0, 1, 3, SharedStage::held);
    fleet.keep(0, 4, 2, SharedStage::firm);
    fleet.keep(1, 10, 4);
    const ports::BoxReport report{.version = "1.2",
                                  .modems = 8,
                                  .messages_per_s = 1.5,
                                  .awaits_reports = 7,
                                  .engine_node = true,
                                  .wall = WallTime{std::chrono::milliseconds(1'234'567)}};
    const auto before = fleet.row(0).beats;
    REQUIRE(ask(rig, 0, ports::Beat{.seat = fleet.seats[0], .report = report}));
    const auto seen = fleet.row(0);
    CHECK(seen.beats == before + 1);
    CHECK(seen.name == "box0");
    CHECK(seen.site == "here");
    CHECK(seen.life == BoxLife::running);
    CHECK(seen.epoch == fleet.seats[0].epoch);
    CHECK(seen.report.version == report.version);
    CHECK(seen.report.modems == report.modems);
    CHECK(seen.report.messages_per_s == report.messages_per_s);
    CHECK(seen.report.awaits_reports == report.awaits_reports);
    CHECK(seen.report.engine_node);
    CHECK(seen.report.wall == report.wall);
    CHECK(seen.held == 3);
    CHECK(seen.firm == 2);
    const auto all = fleet.beat(1);
    CHECK(all.waiting == 4);
    CHECK(all.boxes.size() == 3);
    CHECK(std::ranges::is_sorted(all.boxes, {}, &ports::BoxRow::box));
}

void counts_follow(EngineRig& rig) {
    const FleetInRig fleet(rig);
    const auto counts = [&] {
        const auto all = fleet.beat(0);
        return std::array{all.waiting, all.boxes[0].held, all.boxes[0].firm, all.boxes[1].held,
                          all.boxes[1].firm};
    };
    using Counts = std::array<std::int64_t, 5>;
    fleet.keep(0, 1, 6);
    fleet.keep(1, 10, 2, SharedStage::held);
    CHECK(counts() == Counts{6, 0, 0, 2, 0});
    (void)fleet.take(0, 4);  // 1 to 4
    CHECK(counts() == Counts{2, 4, 0, 2, 0});
    (void)fleet.firm(0, {1, 2, 3});
    CHECK(counts() == Counts{2, 1, 3, 2, 0});
    (void)fleet.give_back(0, {1, 4});
    CHECK(counts() == Counts{4, 0, 2, 2, 0});
    CHECK(fleet.settle(0, {.message = MessageId{2}}));
    CHECK(fleet.settle(0, {.message = MessageId{5}, .unbegun = true}));
    CHECK(counts() == Counts{3, 0, 1, 2, 0});
    REQUIRE(fleet.take_over(0, 1).value() == 2);
    CHECK(counts() == Counts{5, 0, 1, 0, 0});
    const auto seen = fleet.row(0);
    REQUIRE(ask(rig, 2,
                ports::TakeFirm{.seat = fleet.seats[2],
                                .from = {.box = seen.box, .epoch = seen.epoch},
                                .beats = seen.beats,
                                .resend = true,
                                .limit = 9})
                ->size() == 1);
    CHECK(counts() == Counts{6, 0, 0, 0, 0});
}

void take_over_of_silent(EngineRig& rig) {
    const FleetInRig fleet(rig);
    fleet.keep(0, 1, 3, SharedStage::held);
    fleet.keep(0, 4, 1, SharedStage::firm);
    const auto seen = fleet.row(0);
    const auto attempt = [&](std::int64_t epoch, std::int64_t beats) {
        return ask(rig, 1,
                   ports::TakeOver{.seat = fleet.seats[1],
                                   .from = {.box = seen.box, .epoch = ports::Epoch{epoch}},
                                   .beats = beats});
    };
    CHECK(attempt(seen.epoch.value + 1, seen.beats).error().code == Errc::conflict);
    CHECK(attempt(seen.epoch.value - 1, seen.beats).error().code == Errc::conflict);
    CHECK(attempt(seen.epoch.value, seen.beats + 1).error().code == Errc::conflict);
    CHECK(fleet.stage(1) == SharedStage::held);
    CHECK(attempt(seen.epoch.value, seen.beats).value() == 3);
    CHECK(fleet.stage(1) == SharedStage::waiting);
    CHECK(fleet.stage(4) == SharedStage::firm);
    CHECK(fleet.row(0).epoch.value == seen.epoch.value + 1);
    const auto again = attempt(seen.epoch.value, seen.beats);
    CHECK(again.error().code == Errc::conflict);
    CHECK(again.error().detail != ports::epoch_outdated);  // that is the other's
}

void no_take_over_of_beating(EngineRig& rig) {
    const FleetInRig fleet(rig);
    const auto seen = fleet.row(0);
    (void)fleet.beat(0);
    const auto attempt = ask(rig, 1,
                             ports::TakeOver{.seat = fleet.seats[1],
                                             .from = {.box = seen.box, .epoch = seen.epoch},
                                             .beats = seen.beats});
    CHECK(attempt.error().code == Errc::conflict);
    CHECK(ask(rig, 0, ports::Beat{.seat = fleet.seats[0]}));
}

/// Between its entry and its next beat it compares what is firm: none of that is taken meanwhile.
void entry_is_a_beat(EngineRig& rig) {
    FleetInRig fleet(rig);
    fleet.keep(0, 1, 1, SharedStage::firm);
    const auto seen = fleet.row(0);
    const auto entered = fleet.enter(0);
    for (const ports::Seat from : {ports::Seat{seen.box, seen.epoch}, entered}) {
        const auto taken = ask(rig, 1,
                               ports::TakeFirm{.seat = fleet.seats[1],
                                               .from = from,
                                               .beats = seen.beats,
                                               .resend = true,
                                               .limit = 9});
        REQUIRE_FALSE(taken);
        CHECK(taken.error().code == Errc::conflict);
    }
    CHECK(fleet.stage(1) == SharedStage::firm);
}

void take_over_once(EngineRig& rig) {
    const FleetInRig fleet(rig);
    fleet.keep(0, 1, 5, SharedStage::held);
    const auto seen = fleet.row(0);
    const ports::Seat from{.box = seen.box, .epoch = seen.epoch};
    const auto one = post(rig, 1, ports::TakeOver{fleet.seats[1], from, seen.beats});
    const auto two = post(rig, 2, ports::TakeOver{fleet.seats[2], from, seen.beats});
    REQUIRE(rig.run_until([&] { return one->is_there() && two->is_there(); }));
    CHECK(one->get().has_value() != two->get().has_value());
    CHECK(fleet.row(0).epoch.value == seen.epoch.value + 1);
}

void enters_again(EngineRig& rig) {
    FleetInRig fleet(rig);
    fleet.keep(0, 1, 2, SharedStage::held);
    fleet.keep(0, 3, 1, SharedStage::firm);
    const auto before = fleet.seats[0];
    const auto seen = fleet.row(0);
    fleet.seats[0] = fleet.enter(0);
    CHECK(fleet.seats[0].epoch > before.epoch);
    CHECK(fleet.row(0).beats == seen.beats + 1);  // it runs
    CHECK(fleet.stage(1) == SharedStage::waiting);
    CHECK(fleet.stage(3) == SharedStage::firm);
    CHECK(fleet.firm(0, {1, 3}) == std::vector<std::int64_t>{3});
    CHECK(ask(rig, 0, ports::Beat{.seat = before}).error().detail == ports::epoch_outdated);
}

void lives(EngineRig& rig) {
    FleetInRig fleet(rig);
    const auto set = [&](const char* name, BoxLife life) {
        return ask(rig, 1, ports::SetLife{.seat = fleet.seats[1], .name = name, .life = life});
    };
    fleet.keep(0, 1, 1, SharedStage::held);
    fleet.keep(0, 2, 1, SharedStage::firm);
    CHECK(set("box9", BoxLife::draining).error().code == Errc::not_found);
    REQUIRE(set("box0", BoxLife::draining));
    CHECK(fleet.row(0).life == BoxLife::draining);
    CHECK(ask(rig, 0, ports::Beat{.seat = fleet.seats[0]}));  // it still has its seat
    CHECK(set("box0", BoxLife::left).error().code == Errc::conflict);
    REQUIRE(set("box0", BoxLife::dead));
    CHECK(ask(rig, 0, ports::Beat{.seat = fleet.seats[0]}).error().detail == ports::epoch_outdated);
    CHECK(ask(rig, 1,
              ports::FindMessages{.seat = fleet.seats[1], .messages = FleetInRig::ids({1, 2})})
              ->size() == 2);
    CHECK(fleet.row(1).life == BoxLife::running);
    // It was not dead after all.
    fleet.seats[0] = fleet.enter(0);
    CHECK(fleet.row(0).life == BoxLife::running);
    CHECK(fleet.stage(1) == SharedStage::waiting);
    CHECK(fleet.stage(2) == SharedStage::firm);
    CHECK(fleet.settle(0, {.message = MessageId{2}}));
    REQUIRE(set("box0", BoxLife::left));
    CHECK(ask(rig, 0, ports::EnterFleet{.who = FleetInRig::who(0), .release = FleetInRig::release})
              .error()
              .code == Errc::not_allowed);
}

void facts(EngineRig& rig) {
    const auto all = ask(rig, 0, ports::CheckEngine{}).value();
    CHECK_FALSE(all.empty());
    for (const ports::EngineFact& fact : all) {
        CAPTURE(fact.name);
        CHECK_FALSE(fact.name.empty());
        CHECK(fact.good == fact.advice.empty());
    }
}

void sims(EngineRig& rig) {
    const FleetInRig fleet(rig);
    const auto name = [&](std::size_t box, std::vector<ports::SharedSim> sims,
                          std::vector<ports::BoxNumber> absent = {}) {
        return ask(rig, box,
                   ports::NameSims{.seat = fleet.seats[box],
                                   .sims = std::move(sims),
                                   .absent = std::move(absent)})
            .value();
    };
    using Recipients = std::vector<ports::SimRecipient>;
    constexpr std::uint64_t highest = ~std::uint64_t{0};
    const ports::SharedSim asks{.iccid = "s", .asks = true};
    auto said = asks;
    said.form = R"({"a": "it's, {one}"})";
    said.recipients = {{5, 1}, {5, highest}};
    const auto first = name(0, {said, {.iccid = "other"}}).at(0);
    CHECK(first.elsewhere == ports::BoxNumber{});
    CHECK(first.parts.empty());
    CHECK(first.recipients.empty());  // its own

    // It is in two boxes at once: it stays that of the first, whose count the other one gets all the same.
    const auto second = name(1, {asks}).at(0);
    CHECK(second.elsewhere == fleet.seats[0].box);
    REQUIRE(second.parts.size() == 1);
    CHECK(second.parts[0].form == said.form);
    CHECK(second.recipients == Recipients{{5, 1}, {5, highest}});
    CHECK(name(0, {said}).at(0).elsewhere == ports::BoxNumber{});

    // It leaves the first box, which says what it has sent last.
    said.place = ports::SimPlace::left;
    said.asks = false;
    said.form = "{}";
    said.recipients = {{5, 1}, {6, 7}};
    CHECK(name(0, {said}).at(0).elsewhere == ports::BoxNumber{});
    auto own = asks;
    own.form = R"(["own"])";
    own.after = second.number;
    const auto moved = name(1, {{.iccid = "new", .asks = true}, own}).at(1);
    CHECK(moved.elsewhere == ports::BoxNumber{});
    REQUIRE(moved.parts.size() == 1);
    CHECK(moved.parts[0].box == fleet.seats[0].box);
    CHECK(moved.parts[0].form == "{}");
    CHECK(moved.recipients == Recipients{{6, 7}});
    CHECK(name(0, {{.iccid = "s"}}).at(0).elsewhere == fleet.seats[1].box);

    // Its box is silent, or dead: another one that has it may send.
    CHECK(name(0, {{.iccid = "s"}}, {fleet.seats[1].box}).at(0).elsewhere == ports::BoxNumber{});
    CHECK(name(1, {{.iccid = "s"}}).at(0).elsewhere == fleet.seats[0].box);
    REQUIRE(
        ask(rig, 2, ports::SetLife{.seat = fleet.seats[2], .name = "box0", .life = BoxLife::dead}));
    CHECK(name(1, {{.iccid = "s", .asks = true}}).at(0).parts.at(0).form == "{}");
    CHECK(name(2, {}).empty());
}

void many_recipients(EngineRig& rig) {
    const FleetInRig fleet(rig);
    constexpr std::size_t count = ports::sim_recipients_max + 20;
    ports::SharedSim sim{.iccid = "s", .form = "{}"};
    for (std::uint64_t n = 0; n < count; ++n) {
        sim.recipients.push_back({.month = 5, .recipient = n * n});
    }
    const auto name = [&](std::size_t box, const ports::SharedSim& one) {
        return ask(rig, box, ports::NameSims{.seat = fleet.seats[box], .sims = {one}})
            .value()
            .at(0);
    };
    (void)name(0, sim);
    sim.form = "[]";
    (void)name(1, sim);  // two boxes have sent by it
    const auto page = name(2, {.iccid = "s", .asks = true});
    CHECK(page.parts.size() == 2);
    CHECK(page.recipients.size() == ports::sim_recipients_max);
    const auto rest = name(2, {.iccid = "s", .asks = true, .after = page.number});
    CHECK(rest.recipients.size() == 20);
    std::set all(page.recipients.begin(), page.recipients.end());
    all.insert(rest.recipients.begin(), rest.recipients.end());
    CHECK(all.size() == count);
    CHECK(name(2, {.iccid = "s", .asks = true, .after = rest.number}).recipients.empty());
}

void loads(EngineRig& rig) {
    const FleetInRig fleet(rig);
    const auto share = [&](std::size_t box, std::string form) {
        return ask(rig, box, ports::ShareLoad{.seat = fleet.seats[box], .form = std::move(form)})
            .value();
    };
    const auto alone = share(1, R"({"a": "it's"})");
    REQUIRE(alone.boxes.size() == 1);
    CHECK(alone.boxes[0].box == fleet.seats[1].box);
    CHECK(alone.decision.number == 0);
    CHECK(alone.decision.by == ports::BoxNumber{});
    (void)share(2, "two");
    const auto all = share(0, "zero");
    REQUIRE(all.boxes.size() == 3);
    CHECK(std::ranges::is_sorted(all.boxes, {}, &ports::BoxLoad::box));
    CHECK(all.boxes[0].form == "zero");
    CHECK(all.boxes[1].form == R"({"a": "it's"})");
    CHECK(share(0, "more").boxes[0].form == "more");
    // What a parked box said stays; one that has left says nothing any more.
    const auto live = [&](BoxLife life) {
        REQUIRE(ask(rig, 0, ports::SetLife{.seat = fleet.seats[0], .name = "box2", .life = life}));
    };
    live(BoxLife::parked);
    CHECK(share(0, "").boxes.size() == 3);
    live(BoxLife::left);
    CHECK(share(0, "").boxes.size() == 2);
}

void decisions(EngineRig& rig) {
    const FleetInRig fleet(rig);
    const auto decision = [&](std::size_t by, std::int64_t after, std::size_t of, BoxLife from,
                              BoxLife to) {
        return ports::DecideLife{.seat = fleet.seats[by],
                                 .after = after,
                                 .box = fleet.seats[of].box,
                                 .from = from,
                                 .to = to,
                                 .form = "of " + std::to_string(by)};
    };
    const auto newest = [&] {
        return ask(rig, 0, ports::ShareLoad{.seat = fleet.seats[0]}).value().decision;
    };
    // All at once, also about each other and about themselves: one is kept.
    std::vector<std::shared_ptr<Pending<std::int64_t>>> answers;
    for (std::size_t by = 0; by < EngineRig::box_count; ++by) {
        answers.push_back(
            post(rig, by, decision(by, 0, 2 - by, BoxLife::running, BoxLife::draining)));
    }
    REQUIRE(rig.run_until([&] {
        return std::ranges::all_of(answers, [](const auto& one) { return one->is_there(); });
    }));
    std::size_t kept = 0;
    std::size_t winner = 0;
    for (std::size_t by = 0; by < answers.size(); ++by) {
        const auto answer = answers[by]->get();
        if (answer) {
            CHECK(*answer == 1);
            winner = by;
            ++kept;
        } else {
            CHECK(answer.error().code == Errc::conflict);
            CHECK(answer.error().detail != ports::epoch_outdated);
        }
    }
    REQUIRE(kept == 1);
    const auto first = newest();
    CHECK(first.number == 1);
    CHECK(first.by == fleet.seats[winner].box);
    CHECK(first.box == fleet.seats[2 - winner].box);
    CHECK(first.life == BoxLife::draining);
    CHECK(first.form == "of " + std::to_string(winner));
    int draining = 0;
    for (std::size_t i = 0; i < EngineRig::box_count; ++i) {
        draining += fleet.row(i).life == BoxLife::draining ? 1 : 0;
    }
    CHECK(draining == 1);

    const auto refused = [&](const ports::DecideLife& command) {
        const auto answer = ask(rig, 0, command);
        return !answer && answer.error().code == Errc::conflict &&
               answer.error().detail != ports::epoch_outdated && newest().number == 1;
    };
    const std::size_t of = 2 - winner;
    CHECK(refused(decision(0, 0, of, BoxLife::draining, BoxLife::parked)));  // outdated
    CHECK(refused(decision(0, 2, of, BoxLife::draining, BoxLife::parked)));  // of the future
    CHECK(refused(decision(0, 1, of, BoxLife::running, BoxLife::parked)));   // another life
    auto unknown = decision(0, 1, of, BoxLife::draining, BoxLife::parked);
    unknown.box = ports::BoxNumber{999};
    CHECK(refused(unknown));
    CHECK(ask(rig, 0, decision(0, 1, of, BoxLife::draining, BoxLife::parked)).value() == 2);
    CHECK(ask(rig, 1, decision(1, 2, of, BoxLife::parked, BoxLife::running)).value() == 3);
    CHECK(fleet.row(of).life == BoxLife::running);
}

/// Also to a box that starts only afterwards.
void person_decides(EngineRig& rig) {
    const FleetInRig fleet(rig);
    const auto decide = [&](std::int64_t after, BoxLife from, BoxLife to) {
        return ask(rig, 0,
                   ports::DecideLife{.seat = fleet.seats[0],
                                     .after = after,
                                     .box = fleet.seats[1].box,
                                     .from = from,
                                     .to = to,
                                     .form = "idle"});
    };
    const auto order = [&](const char* name, BoxLife life) {
        REQUIRE(ask(rig, 2, ports::SetLife{.seat = fleet.seats[2], .name = name, .life = life}));
        return ask(rig, 0, ports::ShareLoad{.seat = fleet.seats[0]}).value().decision;
    };
    REQUIRE(decide(0, BoxLife::running, BoxLife::draining).value() == 1);
    const auto other = order("box0", BoxLife::running);
    CHECK(other.number == 1);
    CHECK(other.box == fleet.seats[1].box);
    const auto ended = order("box1", BoxLife::draining);
    CHECK(ended.number == 2);
    CHECK(ended.box == BoxNumber{});
    CHECK(ended.by == fleet.seats[0].box);
    CHECK(ended.form == "idle");
    CHECK(fleet.row(1).life == BoxLife::draining);
    // Of a box that has not heard of it.
    CHECK(decide(1, BoxLife::draining, BoxLife::parked).error().code == Errc::conflict);
    CHECK(decide(2, BoxLife::draining, BoxLife::parked).value() == 3);
}

constexpr std::array cases{
    EngineCase{"a name belongs to the key that registered it first", register_once},
    EngineCase{"a box enters with its key, and its epoch grows each time", enter_with_key},
    EngineCase{"no command of an outdated epoch does anything", dead_epoch_does_nothing},
    EngineCase{"every command of the newest epoch is carried out", new_epoch_does_all},
    EngineCase{"a beat is counted, and says what all boxes are and have", beat_tells_of_the_fleet},
    EngineCase{"the counts follow each change of where messages are", counts_follow},
    EngineCase{"a take-over needs the epoch and the beats that were seen; firm stays firm",
               take_over_of_silent},
    EngineCase{"no box takes the work of one that beat again", no_take_over_of_beating},
    EngineCase{"an entry counts as a beat", entry_is_a_beat},
    EngineCase{"of two take-overs at once one succeeds", take_over_once},
    EngineCase{"a box that enters again has what was firm, and what it held is waiting",
               enters_again},
    EngineCase{"the operator's word drains, buries and removes a box", lives},
    EngineCase{"what each box says of its work, all boxes read", loads},
    EngineCase{"of several decisions at once one is kept, and changes the life of a box",
               decisions},
    EngineCase{"a person's word about a box ends what was decided about it", person_decides},
    EngineCase{"what is wrong with the engine comes with advice", facts},
    EngineCase{"a SIM is in one box at a time, and takes what each box has counted along", sims},
    EngineCase{"the recipients of a SIM come some at a time", many_recipients},
};

}  // namespace

std::span<const EngineCase> box_cases() {
    return cases;
}

}  // namespace smsrack::test
