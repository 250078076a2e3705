#include "src/dispatch/conditions.hpp"

#include "tests/support/quiet_log.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace smsrack;
using namespace smsrack::dispatch;
using namespace std::chrono_literals;
using ports::ConditionKind;
using ports::LinkState;
using ports::ManualState;
using ports::Stops;

namespace {

constexpr WallTime noon{1'800'000'000'000ms};

ports::LineView line(const char* name, const char* group, const char* reason = "") {
    return {.name = name,
            .group = group,
            .link = std::string(reason).empty() ? LinkState::active : LinkState::pending,
            .reason = reason};
}

ports::LineView drained(ports::LineView view) {
    view.manual = ManualState::blocked;
    return view;
}

ports::LineView parked(ports::LineView view) {
    view.manual = ManualState::blocked;
    view.parked = true;
    return view;
}

/// Its radio is off.
ports::LineView asleep(const char* name, const char* group) {
    ports::LineView view = parked(line(name, group, "asleep"));
    view.listens_at = noon;
    return view;
}

ports::LineView cooling(ports::LineView view) {
    view.pause = ports::LinePause{.reason = "cooling"};
    return view;
}

ports::StoreTrouble trouble(ports::StoreFault fault, std::string why = "database: x") {
    return {
        .fault = fault, .since = noon, .why = {.code = Errc::storage, .context = std::move(why)}};
}

struct Seen {
    ConditionKind kind;
    std::string subject;
    Stops stops;

    friend bool operator==(const Seen&, const Seen&) = default;
};

struct Case {
    const char* what;
    RackSeen seen;
    std::vector<Seen> conditions;
    bool ready;
    const char* text = "";    // part of the first one's
    const char* advice = "";  // likewise
};

std::vector<Case> cases() {
    using enum ConditionKind;
    const ports::Pause rack_pause{.scope = ports::PauseScope::rack, .since = noon};
    const ports::Pause pause_a{.scope = ports::PauseScope::group, .name = "a", .since = noon};
    const ports::Pause pause_b{.scope = ports::PauseScope::group, .name = "b", .since = noon};
    const ports::Pause batch{.scope = ports::PauseScope::batch, .name = "a", .since = noon};
    const ports::LineView m0 = line("m0", "a");
    const ports::LineView m1 = line("m1", "a");
    const ports::LineView m2 = line("m2", "b");
    return {
        {"all is well", {.lines = {m0, m1, m2}}, {}, true},
        {"no modem is configured",
         {},
         {{no_modem, "rack", Stops::sending}},
         false,
         "no modem",
         "smsrack slots"},
        {"one of two lines is drained", {.lines = {drained(m0), m1}}, {}, true},
        {"all lines are drained, though their modems are fine",
         {.lines = {drained(m0), drained(m1), drained(m2)}},
         {{modems_drained, "rack", Stops::sending}},
         false,
         "every modem is drained: m0, m1, m2",
         "smsrack modem resume m0"},
        {"all lines of one group are drained",
         {.lines = {drained(m0), drained(m1), m2}},
         {{modems_drained, "group a", Stops::group}},
         true,
         "every modem of group a is drained: m0, m1"},
        {"parked lines can send, with their radio off too",
         {.lines = {parked(m0), asleep("m1", "a")}},
         {},
         true},
        {"every SIM has its trouble",
         {.lines = {line("m0", "a", "sim_pin"), line("m1", "a", "denied"), cooling(m2)}},
         {{no_usable_sim, "rack", Stops::sending}},
         false,
         "no SIM can be used: m0 sim_pin, m1 denied, m2 cooling",
         "smsrack doctor"},
        {"a drained line is no reason for a SIM",
         {.lines = {line("m0", "a", "sim_absent"), drained(m1)}},
         {{no_usable_sim, "rack", Stops::sending}},
         false,
         "m0 sim_absent"},
        {"a SIM and a silent modem",
         {.lines = {line("m0", "a", "sim_pin"), line("m1", "a", "no_answer")}},
         {{no_modem_can_send, "rack", Stops::sending}},
         false,
         "no modem can send: m0 sim_pin, m1 no_answer"},
        {"one group has no SIM, the other is drained: nothing is sent",
         {.lines = {line("m0", "a", "sim_pin"), drained(m2)}},
         {{no_usable_sim, "group a", Stops::sending}, {modems_drained, "group b", Stops::sending}},
         false},
        {"the rack is paused",
         {.lines = {m0}, .pauses = {rack_pause}},
         {{rack_paused, "rack", Stops::sending}},
         false,
         "the rack is paused",
         "`smsrack resume`"},
        {"one of two groups is paused",
         {.lines = {m0, m2}, .pauses = {pause_a}},
         {{group_paused, "group a", Stops::group}},
         true,
         "group a is paused",
         "smsrack resume --group a"},
        {"both groups are paused",
         {.lines = {m0, m2}, .pauses = {pause_a, pause_b}},
         {{group_paused, "group a", Stops::sending}, {group_paused, "group b", Stops::sending}},
         false},
        {"one group is paused and the other drained",
         {.lines = {m0, drained(m2)}, .pauses = {pause_a}},
         {{group_paused, "group a", Stops::sending}, {modems_drained, "group b", Stops::sending}},
         false},
        {"a paused batch is no trouble", {.lines = {m0}, .pauses = {batch}}, {}, true},
        {"the clock is doubted: everything works",
         {.lines = {m0}, .clock_doubted = true},
         {{clock_not_believed, "clock", Stops::nothing}},
         true,
         "behind the newest row",
         "timedatectl"},
        {"the disk is full; what the host saw of it is the same thing",
         {.lines = {m0},
          .store = trouble(ports::StoreFault::full),
          .box = {{.kind = disk_low, .subject = "disk"}}},
         {{disk_full, "disk", Stops::all}},
         false,
         "the disk is full",
         "make room"},
        {"the disk fails",
         {.lines = {m0}, .store = trouble(ports::StoreFault::failing, "database: disk I/O error")},
         {{disk_failing, "disk", Stops::all}},
         false,
         "disk I/O error",
         "journalctl -k"},
        {"the database is locked",
         {.lines = {m0},
          .store = trouble(ports::StoreFault::locked, "locked; held by sleep (process 7)")},
         {{database_locked, "database", Stops::all}},
         false,
         "held by sleep (process 7)"},
        {"the gravest comes first",
         {.lines = {m0, drained(m2)},
          .store = trouble(ports::StoreFault::full),
          .clock_doubted = true},
         {{disk_full, "disk", Stops::all},
          {modems_drained, "group b", Stops::group},
          {clock_not_believed, "clock", Stops::nothing}},
         false},
    };
}

}  // namespace

TEST_CASE("conditions: each state of the rack has its word, what it stops, and what to do") {
    for (const Case& one : cases()) {
        CAPTURE(one.what);
        const auto conditions = conditions_of(one.seen);
        std::vector<Seen> seen;
        for (const ports::Condition& condition : conditions) {
            seen.push_back({condition.kind, condition.subject, condition.stops});
            CHECK(!condition.text.empty());
            CHECK(!condition.advice.empty());
        }
        CHECK(seen == one.conditions);
        CHECK(is_ready(conditions) == one.ready);
        if (!conditions.empty()) {
            CHECK(conditions.front().text.contains(one.text));
            CHECK(conditions.front().advice.contains(one.advice));
        }
    }
}

TEST_CASE("conditions: a store that only reads hides the lines, which were not started") {
    RackSeen seen{.lines = {line("m0", "a", "storage")}, .store = trouble(ports::StoreFault::full)};
    seen.store->reads_only = true;
    const auto conditions = conditions_of(seen);
    REQUIRE(conditions.size() == 1);
    CHECK(conditions[0].kind == ConditionKind::disk_full);
    CHECK(conditions[0].text.contains("answers what only reads"));
}

TEST_CASE("conditions: a sentence names eight modems, and how many more") {
    RackSeen seen;
    for (int i = 0; i < 11; ++i) {
        seen.lines.push_back(drained(line(("m" + std::to_string(i)).c_str(), "a")));
    }
    CHECK(conditions_of(seen).at(0).text.ends_with("m6, m7 and 3 more"));
}

TEST_CASE("conditions: full and low disks") {
    constexpr std::uint64_t mebi = 1024UL * 1024;
    struct Row {
        ports::DiskRoom room;
        std::optional<ConditionKind> kind;
    };
    for (const Row& row :
         {Row{{.free = 64 * mebi, .whole = 8192 * mebi}, std::nullopt},
          Row{{.free = 64 * mebi - 1, .whole = 8192 * mebi}, ConditionKind::disk_low},
          Row{{.free = 2 * mebi, .whole = 40 * mebi}, std::nullopt},
          Row{{.free = 2 * mebi - 1, .whole = 40 * mebi}, ConditionKind::disk_low},
          Row{{.free = ports::disk_full_below - 1, .whole = 8192 * mebi}, ConditionKind::disk_full},
          Row{{.free = 0, .whole = 0}, ConditionKind::disk_full}}) {
        CAPTURE(row.room.free);
        const auto condition = ports::judge_disk(row.room, "/var/lib/smsrack");
        REQUIRE(condition.has_value() == row.kind.has_value());
        if (condition) {
            CHECK(condition->kind == *row.kind);
            CHECK(condition->text.contains("/var/lib/smsrack"));
            CHECK(condition->stops ==
                  (*row.kind == ConditionKind::disk_full ? Stops::all : Stops::nothing));
        }
    }
}

TEST_CASE(
    "ConditionBoard: a condition keeps its begin while it lasts, and begins again after it ended") {
    test::QuietLog log;
    ConditionBoard board(log);
    const auto full = [] {
        return std::vector<ports::Condition>{
            {.kind = ConditionKind::disk_full, .subject = "disk", .text = "one"}};
    };
    CHECK(board.look(full(), noon).at(0).since == noon);
    auto other_words = full();
    other_words[0].text = "two";
    CHECK(board.look(other_words, noon + 1h).at(0).since == noon);
    CHECK(log.count("condition_begins") == 1);
    CHECK(board.look({}, noon + 2h).empty());
    CHECK(log.count("condition_ends") == 1);
    CHECK(board.look(full(), noon + 3h).at(0).since == noon + 3h);

    SUBCASE("one that says its own begin keeps it") {
        auto dated = full();
        dated[0].since = noon - 1h;
        CHECK(board.look(dated, noon + 4h).at(0).since == noon - 1h);
    }
    SUBCASE("two subjects are two conditions") {
        auto both = full();
        both.push_back({.kind = ConditionKind::disk_full, .subject = "other"});
        CHECK(board.look(both, noon + 4h).at(1).since == noon + 4h);
        CHECK(log.count("condition_begins") == 3);
    }
}
