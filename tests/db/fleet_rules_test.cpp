// Opt-outs, pauses and cancelled batches of a fleet: what the engine gets, and what is obeyed.
#include "tests/db/fleet_fixture.hpp"

#include <fmt/format.h>

using namespace smsrack;
using namespace std::chrono_literals;
using ports::RuleKind;
using test::FleetFixture;
using test::StoreFixture;
using Words = std::vector<std::string>;

namespace {

const std::string number = "+33612345678";

std::vector<ports::OwnRule> own(StoreFixture& f, std::size_t limit = 100) {
    return f.look<ports::FleetReader>([limit](ports::FleetReader& r) { return r.own_rules(limit); })
        .value();
}

/// "opt_out NAME" and so on, with "no " before what is over, in order.
Words told(StoreFixture& f) {
    constexpr std::array kinds{"opt_out", "pause", "batch"};
    Words words;
    for (const ports::OwnRule& one : own(f)) {
        words.push_back(fmt::format("{}{} {}", one.rule.holds ? "" : "no ",
                                    kinds.at(static_cast<std::size_t>(one.rule.kind)),
                                    one.rule.name));
    }
    return words;
}

void obey(StoreFixture& f, std::vector<ports::OperatorRule> rules, ports::ReadMark mark = {5, 6}) {
    REQUIRE(f.ask(ports::ObeyRules{.rules = std::move(rules), .mark = mark}));
}

bool is_opted_out(StoreFixture& f, const std::string& to) {
    return f.look([&](ports::StoreReader& r) { return r.opt_out(to); }).value().has_value();
}

ports::RulesPlace place(StoreFixture& f) {
    return f.look<ports::FleetReader>([](ports::FleetReader& r) { return r.rules_place(); })
        .value();
}

std::size_t pauses(StoreFixture& f) {
    return f.look([](ports::StoreReader& r) { return r.pauses(); })->size();
}

}  // namespace

TEST_CASE(
    "fleet rules: what is ordered here waits for the engine, over a restart, the newest of each") {
    FleetFixture f;
    REQUIRE(f.ask(ports::OptOut{number, f.clock.wall()}));
    REQUIRE(f.ask(ports::SetPause{ports::PauseScope::rack, "", true, f.clock.wall()}));
    REQUIRE(f.ask(ports::SetPause{ports::PauseScope::group, "default", true, f.clock.wall()}));
    REQUIRE(f.ask(ports::SetPause{ports::PauseScope::batch, "spring", true, f.clock.wall()}));
    REQUIRE(f.ask(ports::CancelBatch{"spring", f.clock.wall()}));
    REQUIRE(f.ask(ports::SetPause{ports::PauseScope::rack, "", false, f.clock.wall()}));
    const Words all{"opt_out " + number, "pause group default", "pause batch spring",
                    "batch spring", "no pause rack"};
    CHECK(told(f) == all);
    f.reopen();
    CHECK(told(f) == all);
    const auto rows = own(f);
    CHECK(std::ranges::is_sorted(rows, {}, &ports::OwnRule::number));
    CHECK(own(f, 2).size() == 2);
    REQUIRE(f.ask(ports::NoteRulesKept{{rows[0].number, rows[4].number}}));
    CHECK(told(f) == Words{"pause group default", "pause batch spring", "batch spring"});
    // What was changed meanwhile has another number, and stays.
    REQUIRE(f.ask(ports::SetPause{ports::PauseScope::group, "default", false, f.clock.wall()}));
    REQUIRE(f.ask(ports::NoteRulesKept{{rows[1].number}}));
    CHECK(told(f) == Words{"pause batch spring", "batch spring", "no pause group default"});
}

TEST_CASE("fleet rules: the engine gets an order that changes nothing here, too") {
    FleetFixture f;
    CHECK(f.ask(ports::SetPause{ports::PauseScope::rack, "", false, f.clock.wall()}) == false);
    CHECK(f.ask(ports::OptIn{number}) == false);
    CHECK(told(f) == Words{"no pause rack", "no opt_out " + number});
}

TEST_CASE("fleet rules: who may receive again may so however its number was written") {
    FleetFixture f;
    REQUIRE(f.ask(ports::OptOut{"0612345678", f.clock.wall()}));
    REQUIRE(f.ask(ports::NoteRulesKept{{own(f)[0].number}}));
    REQUIRE(f.ask(ports::OptIn{number}) == true);
    CHECK(told(f) == Words{"no opt_out 0612345678", "no opt_out " + number});
}

TEST_CASE("fleet rules: without a fleet there is no row") {
    StoreFixture f;
    REQUIRE(f.ask(ports::OptOut{number, f.clock.wall()}));
    REQUIRE(f.ask(ports::SetPause{ports::PauseScope::rack, "", true, f.clock.wall()}));
    CHECK(own(f).empty());
    CHECK(place(f).box == BoxNumber{});
}

TEST_CASE(
    "fleet rules: a box that joins tells its opt-outs and cancelled batches once, and not its "
    "pauses") {
    StoreFixture f;
    REQUIRE(f.ask(ports::OptOut{number, f.clock.wall()}));
    REQUIRE(f.ask(ports::CancelBatch{"spring", f.clock.wall(), true}));
    REQUIRE(f.ask(ports::SetPause{ports::PauseScope::rack, "", true, f.clock.wall()}));
    REQUIRE(f.ask(ports::ShareRules{BoxNumber{7}}));
    CHECK(told(f) == Words{"opt_out " + number, "batch spring"});
    CHECK(place(f).box == BoxNumber{7});
    for (const auto& one : own(f)) {
        REQUIRE(f.ask(ports::NoteRulesKept{{one.number}}));
    }
    obey(f, {}, {.transaction = 9, .number = 8});
    REQUIRE(f.ask(ports::ShareRules{BoxNumber{7}}));
    CHECK(own(f).empty());
    CHECK(place(f).mark == ports::ReadMark{9, 8});
    // The engine was restored, and may have an older word of the pause.
    REQUIRE(f.ask(ports::ShareRules{BoxNumber{7}, true}));
    CHECK(told(f) == Words{"opt_out " + number, "batch spring", "pause rack"});
    CHECK(place(f).mark == ports::ReadMark{});
    // Another fleet, or another name in it.
    REQUIRE(f.ask(ports::ShareRules{BoxNumber{9}}));
    CHECK(told(f).size() == 3);
    CHECK(place(f).mark == ports::ReadMark{});
}

TEST_CASE("fleet rules: what other boxes were ordered is obeyed, and not told again") {
    FleetFixture f;
    REQUIRE(f.ask(ports::ShareRules{BoxNumber{7}}));
    const MessageId id = f.firm();
    const WallTime at = f.clock.wall();
    obey(f, {{.kind = RuleKind::opt_out, .name = number, .at = at},
             {.kind = RuleKind::pause, .name = "rack", .at = at},
             {.kind = RuleKind::pause, .name = "group default", .at = at},
             {.kind = RuleKind::pause, .name = "batch autumn", .at = at},
             {.kind = RuleKind::batch, .name = "spring", .at = at}});
    CHECK(told(f).empty());
    CHECK(is_opted_out(f, number));
    CHECK(pauses(f) == 4);
    CHECK(f.begin(id).error().code == Errc::conflict);
    CHECK(f.state(id) == MessageState::cancelled);
    NewMessage late = f.shared_message();
    late.batch = "spring";
    CHECK(f.accept(late).error().code == Errc::conflict);
    obey(f, {{.kind = RuleKind::opt_out, .name = number, .holds = false, .at = at},
             {.kind = RuleKind::pause, .name = "rack", .holds = false, .at = at},
             {.kind = RuleKind::pause, .name = "batch autumn", .holds = false, .at = at}});
    CHECK_FALSE(is_opted_out(f, number));
    CHECK(pauses(f) == 2);
    f.reopen();
    CHECK(place(f).mark == ports::ReadMark{5, 6});
}

TEST_CASE("fleet rules: a pause that a later release may know is left") {
    FleetFixture f;
    REQUIRE(f.ask(ports::ShareRules{BoxNumber{7}}));
    obey(f, {{.kind = RuleKind::pause, .name = "site paris"},
             {.kind = RuleKind::pause, .name = "all"},
             {.kind = RuleKind::pause, .name = "rack now"},
             {.kind = RuleKind::pause, .name = "group"},
             {.kind = static_cast<RuleKind>(9), .name = "x"}});
    CHECK(pauses(f) == 0);
    CHECK(place(f).mark == ports::ReadMark{5, 6});
}

TEST_CASE("fleet rules: the date of the last word is the newest, also after a clock was set back") {
    FleetFixture f;
    REQUIRE(f.ask(ports::ShareRules{BoxNumber{7}}));
    const WallTime now = f.clock.wall();
    REQUIRE(f.ask(ports::ObeyRules{.mark = {1, 1}, .heard = now + 24h}));
    REQUIRE(f.ask(ports::ObeyRules{.mark = {1, 2}, .heard = now}));
    CHECK(place(f).heard == now);
    REQUIRE(f.ask(ports::ObeyRules{.mark = {1, 3}}));
    CHECK(place(f).heard == now);
}

TEST_CASE(
    "fleet rules: what this box has changed, and the engine does not have, is newer than what it "
    "reads") {
    FleetFixture f;
    REQUIRE(f.ask(ports::ShareRules{BoxNumber{7}}));
    REQUIRE(f.ask(ports::OptOut{number, f.clock.wall()}));
    obey(f, {{.kind = RuleKind::opt_out, .name = number, .holds = false}});
    CHECK(is_opted_out(f, number));
    REQUIRE(f.ask(ports::NoteRulesKept{{own(f)[0].number}}));
    obey(f, {{.kind = RuleKind::opt_out, .name = number, .holds = false}});
    CHECK_FALSE(is_opted_out(f, number));
}

TEST_CASE(
    "fleet rules: a message of a batch that another box has cancelled ends when it becomes firm") {
    FleetFixture f;
    REQUIRE(f.ask(ports::ShareRules{BoxNumber{7}}));
    NewMessage m = f.shared_message();
    m.batch = "spring";
    const MessageId guest = FleetFixture::guest_id(3);
    CHECK(f.take_in(guest, m) == FleetStage::held);
    obey(f, {{.kind = RuleKind::batch, .name = "spring", .at = f.clock.wall()}});
    CHECK_FALSE(f.make_firm(guest));
    CHECK(f.place(guest).state == MessageState::cancelled);
}

TEST_CASE("fleet rules: without word of them only the levels that need none are begun") {
    FleetFixture f;
    Level lowest = 0;
    f.rules.knows_rules = [&lowest](Level level) { return level >= lowest; };
    const MessageId first = f.firm();
    const MessageId second = f.firm();
    lowest = 4;
    CHECK(f.begin(first).error().code == Errc::closed);
    lowest = 3;
    CHECK(f.begin(second));
}
