#include "src/dispatch/conditions.hpp"

#include <doctest/doctest.h>

#include <functional>
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

/// What is wrong with single modems is the matter of modem_conditions_test.
bool is_of_rack(const ports::Condition& condition) {
    return condition.object().kind != "modem";
}

ports::GroupLoad refusing(const char* name, Level below) {
    ports::GroupLoad group{.name = name};
    for (Level level = 0; level < below; ++level) {
        group.levels.at(level) = {.ahead = 40 - level, .refuses = true};
    }
    return group;
}

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
        {"a group refuses messages of some levels",
         {.lines = {m0, m2}, .groups = {refusing("a", 0), refusing("b", 2)}},
         {{overloaded, "group b", Stops::nothing}},
         true,
         "group b refuses messages of level 0, 1: 40 segments wait",
         "more modems"},
        {"a thread that hangs comes before a group that is drained",
         {.lines = {m0, drained(m2)},
          .box = {{.kind = late, .subject = "codec-0", .text = "x", .advice = "y"}}},
         {{late, "codec-0", Stops::nothing}, {modems_drained, "group b", Stops::group}},
         true},
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
        auto conditions = conditions_of(one.seen);
        std::erase_if(conditions, std::not_fn(is_of_rack));
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

TEST_CASE("conditions: modems that lack the same have its remedy in common") {
    const RackSeen same{.lines = {line("m0", "a", "denied"), line("m1", "a", "denied")}};
    CHECK(conditions_of(same).at(0).advice.starts_with("the SIM is barred"));
    const RackSeen several{.lines = {line("m0", "a", "denied"), line("m1", "a", "sim_pin")}};
    CHECK(conditions_of(several).at(0).advice.starts_with("`smsrack doctor`"));
}

TEST_CASE("conditions: of a large rack the list names some modems, and how many more") {
    RackSeen seen;
    for (int i = 0; i < 40; ++i) {
        seen.lines.push_back(line(("m" + std::to_string(i)).c_str(), "a", "no_port"));
    }
    const auto conditions = conditions_of(seen);
    REQUIRE(conditions.size() == 26);
    CHECK(conditions[0].kind == ConditionKind::no_modem_can_send);
    CHECK(conditions[24].subject == "modem m23");
    CHECK(conditions[25].kind == ConditionKind::more_modems);
    CHECK(conditions[25].text.contains("16 more such faults: of m24, m25"));
}

TEST_CASE("conditions: what each is about, and how grave it is") {
    struct Row {
        ports::Condition condition;
        const char* kind;
        const char* name;
        ports::Severity severity;
    };
    for (const Row& row :
         {Row{{.kind = ConditionKind::disk_full, .subject = "disk", .stops = Stops::all},
              "disk",
              "",
              ports::Severity::critical},
          Row{{.kind = ConditionKind::group_paused, .subject = "group a b", .stops = Stops::group},
              "group",
              "a b",
              ports::Severity::warning},
          Row{{.kind = ConditionKind::rack_paused, .subject = "rack", .stops = Stops::sending},
              "rack",
              "",
              ports::Severity::critical},
          Row{{.kind = ConditionKind::late, .subject = "line-m0"},
              "thread",
              "line-m0",
              ports::Severity::critical}}) {
        CAPTURE(row.condition.subject);
        CHECK(row.condition.object().kind == row.kind);
        CHECK(row.condition.object().name == row.name);
        CHECK(row.condition.severity() == row.severity);
    }
}
