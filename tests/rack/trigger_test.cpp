// Once per number and topic, with a whole rack in simulated time.
#include "src/base/time_text.hpp"
#include "src/trigger/share.hpp"
#include "tests/rack/support/world.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <set>
#include <string>

using namespace smsrack;
using namespace std::chrono_literals;
using trigger::Counts;
using trigger::Verdict;

namespace {

struct Said {
    std::string number;
    std::string topic;
    friend auto operator<=>(const Said&, const Said&) = default;
};

std::vector<trigger::Event> events_of(const std::vector<Said>& said) {
    std::vector<trigger::Event> events;
    for (const Said& one : said) {
        events.push_back({.line = events.size() + 1, .number = one.number, .topic = one.topic});
    }
    return events;
}

Counts feed(test::World& world, const std::vector<Said>& said) {
    const auto events = events_of(said);
    return world.feed("welcome", events);
}

struct Tally {
    std::uint64_t fresh = 0;
    std::uint64_t seen = 0;
    std::uint64_t other = 0;
    friend bool operator==(const Tally&, const Tally&) = default;
};

std::ostream& operator<<(std::ostream& out, const Tally& tally) {
    return out << tally.fresh << " new, " << tally.seen << " seen, " << tally.other << " other";
}

Tally tally(const Counts& counts) {
    return {counts.of(Verdict::fresh), counts.of(Verdict::seen),
            counts.of(Verdict::bad) + counts.of(Verdict::outside) + counts.of(Verdict::refused)};
}

test::WorldSettings rack(const std::string& trigger_keys = {}, const std::string& more = {}) {
    return {.modems = 2,
            .service = 20ms,
            .toml = more + "[[trigger]]\nname = \"welcome\"\ntemplate = \"Welcome to {topic}!\"\n" +
                    trigger_keys};
}

std::string number(int i) {
    return fmt::format("+3361234{:04}", i);
}

std::map<std::string, int> submits(const test::World& world) {
    std::map<std::string, int> by_number;
    for (const test::Submitted& one : world.modems.journal.submits) {
        ++by_number[one.to];
    }
    return by_number;
}

bool all_ended(test::World& world, const std::vector<MessageId>& ids) {
    return std::ranges::all_of(ids, [&](MessageId id) {
        const MessageState state = world.state(id);
        return is_final(state) && state != MessageState::queued;
    });
}

}  // namespace

TEST_CASE(
    "trigger: each number gets each topic's text once, whatever comes again, and goes with its "
    "batch") {
    test::World world(rack("batch_s = 30\n"));
    REQUIRE(world.run_until_ready());
    CHECK(tally(feed(world, {{number(1), "paris"},
                             {number(1), "paris"},
                             {number(2), "paris"},
                             {number(1), "rome"}})) == Tally{3, 1, 0});
    CHECK(tally(feed(world, {{number(1), "paris"}, {number(3), "rome"}})) == Tally{1, 1, 0});
    const auto row = world.pair("welcome", "rome", number(1));
    REQUIRE(row);
    const auto detail = world.detail(row->message);
    CHECK(detail.message.body.text == "Welcome to rome!");
    CHECK(detail.message.state == MessageState::scheduled);
    REQUIRE(detail.message.due_at);
    CHECK(detail.message.due_at->time_since_epoch() % 30s == 0s);
    CHECK(world.modems.journal.submits.empty());
    REQUIRE(world.run(60s, [&] { return world.modems.journal.submits.size() == 4; }));
    REQUIRE(world.run(60s, [&] { return world.state(row->message) == MessageState::delivered; }));
    CHECK(world.pair("welcome", "rome", number(1))->state == ports::PairState::sent);
    CHECK(tally(feed(world, {{number(1), "paris"}, {number(3), "rome"}})) == Tally{0, 2, 0});
    world.run_for(60s);
    CHECK(submits(world) ==
          std::map<std::string, int>{{number(1), 2}, {number(2), 1}, {number(3), 1}});
    CHECK(world.messages() == 4);
}

TEST_CASE("trigger: the filter alone decides without verify, and learns when the send succeeded") {
    test::World world(rack("batch_s = 0\nverify = false\n"));
    REQUIRE(world.run_until_ready());
    CHECK(tally(feed(world, {{number(1), "paris"}, {number(1), "paris"}})) == Tally{1, 1, 0});
    CHECK(world.triggers().view().triggers[0].topics[0].keys == 0);
    REQUIRE(world.run(60s, [&] {
        return world.pair("welcome", "paris", number(1))->state == ports::PairState::sent;
    }));
    CHECK(tally(feed(world, {{number(1), "paris"}})) == Tally{0, 1, 0});
    CHECK(world.triggers().view().triggers[0].topics[0].keys == 1);
    const auto looked_up = world.triggers().view().triggers[0].looked_up;
    CHECK(tally(feed(world, {{number(1), "paris"}})) == Tally{0, 1, 0});
    CHECK(world.triggers().view().triggers[0].looked_up == looked_up);
    CHECK(world.messages() == 1);
}

TEST_CASE("trigger: a start knows all that was claimed, before its filters are loaded and after") {
    for (const char* verify : {"true", "false"}) {
        CAPTURE(verify);
        test::World world(rack(fmt::format("batch_s = 0\nverify = {}\n", verify)));
        REQUIRE(world.run_until_ready());
        std::vector<Said> all;
        for (int i = 0; i < 300; ++i) {
            all.push_back({number(i), i % 3 == 0 ? "paris" : "rome"});
        }
        CHECK(tally(feed(world, all)) == Tally{300, 0, 0});
        world.crash_and_restart();
        CHECK(tally(feed(world, all)) == Tally{0, 300, 0});
        REQUIRE(world.run(10s, [&] { return !world.triggers().view().rebuild.running; }));
        CHECK(world.triggers().view().rebuild.rows == 300);
        CHECK(tally(feed(world, all)) == Tally{0, 300, 0});
        CHECK(world.messages() == 300);
    }
}

TEST_CASE(
    "trigger: a rebuild during the feed changes no verdict, and forgets what is past its days") {
    test::World world(rack("batch_s = 0\nretain_days = 1\n", "[dedup]\nrebuild_at = \"03:30\"\n"));
    REQUIRE(world.run_until_ready());
    std::vector<Said> some;
    for (int i = 0; i < 100; ++i) {
        some.push_back({number(i), "paris"});
    }
    CHECK(tally(feed(world, some)) == Tally{100, 0, 0});
    REQUIRE(world.triggers().start_rebuild());
    const auto second = world.triggers().start_rebuild();
    REQUIRE_FALSE(second);
    CHECK(second.error().code == Errc::conflict);
    some.push_back({number(200), "paris"});
    CHECK(tally(feed(world, some)) == Tally{1, 100, 0});
    REQUIRE(world.run(60s, [&] { return !world.triggers().view().rebuild.running; }));
    CHECK(tally(feed(world, some)) == Tally{0, 101, 0});
    world.run_for(49h);  // the nightly ones
    CHECK_FALSE(world.pair("welcome", "paris", number(0)));
    CHECK(tally(feed(world, {{number(0), "paris"}})) == Tally{1, 0, 0});
}

TEST_CASE("trigger: the window for duplicates is for clients; two topics may say the same") {
    test::WorldSettings settings = rack("batch_s = 0\n", "[dedup]\nwindow_s = 86400\n");
    settings.toml.replace(settings.toml.find(" to {topic}"), 11, "");
    test::World world(settings);
    REQUIRE(world.run_until_ready());
    CHECK(tally(feed(world, {{number(1), "paris"}, {number(1), "rome"}})) == Tally{2, 0, 0});
    CHECK(tally(feed(world, {{number(1), "paris"}, {number(1), "rome"}})) == Tally{0, 2, 0});
}

TEST_CASE(
    "trigger: a nightly rebuild that fails is tried again within hours, not in the next night") {
    test::World world(rack("batch_s = 0\nretain_days = 1\n", "[dedup]\nrebuild_at = \"03:30\"\n"));
    world.clock.set_date(WallTime(std::chrono::sys_days(std::chrono::year(2026) / 5 / 1)) + 1h);
    REQUIRE(world.run_until_ready());
    CHECK(tally(feed(world, {{number(1), "paris"}})) == Tally{1, 0, 0});
    world.run_for(26h + 20min);  // 03:20
    world.disk.fill(true);
    world.run_for(20min);
    const auto rebuild = [&world] { return world.triggers().view().rebuild; };
    CHECK_FALSE(rebuild().failure.empty());
    CHECK(world.pair("welcome", "paris", number(1)));
    world.disk.fill(false);
    world.run_for(90min);
    CHECK(rebuild().failure == "");
    CHECK_FALSE(world.pair("welcome", "paris", number(1)));
}

TEST_CASE("trigger: whose message still waits when the days are over gets no second one") {
    test::World world(rack("batch_s = 0\nretain_days = 1\n",
                           "[queue]\nttl_s = 400000\n[dedup]\nrebuild_at = \"03:30\"\n"));
    REQUIRE(world.run_until_ready());
    CHECK(world.pause(ports::PauseScope::rack));
    CHECK(tally(feed(world, {{number(1), "paris"}})) == Tally{1, 0, 0});
    const auto id = world.pair("welcome", "paris", number(1))->message;
    world.run_for(46h);
    CHECK(world.pair("welcome", "paris", number(1)));
    CHECK(tally(feed(world, {{number(1), "paris"}})) == Tally{0, 1, 0});
    REQUIRE(world.state(id) == MessageState::queued);
}

TEST_CASE(
    "trigger: one that is no more in the configuration keeps its pairs for its days, and no "
    "longer") {
    const std::string nightly = "[dedup]\nrebuild_at = \"03:30\"\n";
    const std::string other = "[[trigger]]\nname = \"other\"\ntemplate = \"x\"\n";
    for (const std::string& others : {std::string(), other}) {
        CAPTURE(others);
        const auto with = rack("batch_s = 0\nretain_days = 3\n", nightly + others);
        const auto with_more = rack("batch_s = 0\nretain_days = 30\n", nightly + others);
        test::World world(with);
        REQUIRE(world.run_until_ready());
        CHECK(tally(feed(world, {{number(1), "paris"}, {number(2), "rome"}})) == Tally{2, 0, 0});
        world.run_for(1h);
        world.crash_and_restart(nightly + others);
        world.run_for(47h);
        world.crash_and_restart(with.toml);
        CHECK(tally(feed(world, {{number(1), "paris"}})) == Tally{0, 1, 0});  // it is as it was
        world.run_for(1h);
        world.crash_and_restart(nightly + others);
        world.run_for(71h);
        world.crash_and_restart(with_more.toml);  // whose walk removes nothing
        CHECK(tally(feed(world, {{number(1), "paris"}, {number(2), "rome"}})) == Tally{2, 0, 0});
    }
}

TEST_CASE(
    "trigger: a day that was cancelled continues under the next label; a pair that lost a message "
    "by it is new when recent_s is over") {
    test::World world(rack("batch_s = 60\nrecent_s = 600\n"));
    REQUIRE(world.run_until_ready());
    CHECK(tally(feed(world, {{number(1), "paris"}})) == Tally{1, 0, 0});
    const auto label = [&world] { return world.triggers().view().triggers[0].batch_label; };
    const std::string day = label();
    world.cancel_batch(day);
    const auto id = world.pair("welcome", "paris", number(1))->message;
    CHECK(world.pause(ports::PauseScope::rack));  // nothing goes while it is taken back
    REQUIRE(world.run(120s, [&] { return world.state(id) == MessageState::cancelled; }));
    CHECK(world.pair("welcome", "paris", number(1))->state == ports::PairState::failed);
    CHECK(tally(feed(world, {{number(1), "paris"}, {number(2), "paris"}})) == Tally{1, 1, 0});
    CHECK(label() == day + ".2");
    world.crash_and_restart();
    REQUIRE(world.run_until_ready());
    CHECK(tally(feed(world, {{number(1), "paris"}, {number(2), "paris"}})) == Tally{0, 2, 0});
    CHECK(world.resume(ports::PauseScope::rack));
    world.run_for(11min);
    CHECK(tally(feed(world, {{number(1), "paris"}, {number(2), "paris"}})) == Tally{1, 1, 0});
    CHECK(world.detail(world.pair("welcome", "paris", number(1))->message).message.batch ==
          day + ".2");
    world.run_for(3min);
    CHECK(submits(world) == std::map<std::string, int>{{number(1), 1}, {number(2), 1}});
    world.run_for(24h);
    CHECK(label() != day);
    CHECK(tally(feed(world, {{number(3), "paris"}})) == Tally{1, 0, 0});
    CHECK(world.detail(world.pair("welcome", "paris", number(3))->message).message.batch ==
          label());
}

TEST_CASE(
    "trigger: a pair whose message failed is new again with on_failed = \"release\", and kept with "
    "\"keep\" and \"webhook\"") {
    struct Row {
        const char* on_failed;
        Tally later;
    };
    for (const Row& row :
         {Row{"release", {1, 0, 0}}, Row{"keep", {0, 1, 0}}, Row{"webhook", {0, 1, 0}}}) {
        CAPTURE(row.on_failed);
        test::World world(
            rack(fmt::format("batch_s = 60\nrecent_s = 600\non_failed = \"{}\"\n", row.on_failed)));
        REQUIRE(world.run_until_ready());
        CHECK(tally(feed(world, {{number(1), "paris"}})) == Tally{1, 0, 0});
        world.cancel_batch(world.triggers().view().triggers[0].batch_label);
        const auto id = world.pair("welcome", "paris", number(1))->message;
        REQUIRE(world.run(120s, [&] { return world.state(id) == MessageState::cancelled; }));
        CHECK(world.pair("welcome", "paris", number(1))->state == ports::PairState::failed);
        CHECK(tally(feed(world, {{number(1), "paris"}})) == Tally{0, 1, 0});
        world.run_for(11min);
        CHECK(tally(feed(world, {{number(1), "paris"}})) == row.later);
    }
}

TEST_CASE(
    "trigger: a topic too many for the box is bad, and hurts no other, not even at the same time") {
    const test::TempDir dir;
    std::string many;  // all that the box can know, but one
    int left = ports::topic_ids_end - 2;
    for (int n = 0; left > 0; ++n) {
        const std::string file = (dir.path() / fmt::format("{}.csv", n)).string();
        std::ofstream csv(file);
        for (std::size_t i = 0; i < trigger::topics_max && left > 0; ++i, --left) {
            csv << i << '\n';
        }
        many += fmt::format(
            "[[trigger]]\nname = \"many{}\"\ntemplate = \"x\"\ntopics = {{ file = \"{}\" }}\n", n,
            file);
    }
    test::World world(rack("batch_s = 0\n", many));
    REQUIRE(world.run_until_ready());
    for (const char* name : {"many0", "many1"}) {
        CHECK(world.feed(name, events_of({{number(1), "7"}})).of(Verdict::fresh) == 1);
    }
    const std::vector<Said> both{{number(1), "paris"}, {number(1), "rome"}};
    const Counts counts = feed(world, both);
    CHECK(counts.of(Verdict::fresh) == 1);
    REQUIRE(counts.samples.size() == 1);
    CHECK(counts.samples[0].why ==
          "topic: a new one, and 16383 of all triggers have been known; no more can be");
    CHECK(tally(feed(world, both)) == Tally{0, 1, 1});
    world.crash_and_restart();
    REQUIRE(world.run_until_ready());
    CHECK(tally(feed(world, both)) == Tally{0, 1, 1});
    CHECK(world.feed("many0", events_of({{number(2), "7"}})).of(Verdict::fresh) == 1);
}

TEST_CASE("trigger: an event that is bad, or outside the share, takes no topic's place") {
    test::World world({.modems = 2,
                       .toml = "[[trigger]]\nname = \"welcome\"\ntemplate = \"Hello {name}\"\n"
                               "batch_s = 0\nshare = 0.5\ntopics_max = 1\nfields = [\"name\"]\n"});
    REQUIRE(world.run_until_ready());
    std::string inside;
    std::string outside;
    for (int i = 0; inside.empty() || outside.empty(); ++i) {
        const bool in = trigger::in_share(0.5, "welcome", std::stoll(number(i).substr(1)));
        (in ? inside : outside) = number(i);
    }
    const std::vector<std::string_view> name{"Zoe"};
    const std::vector<trigger::Event> events{
        {.line = 1, .number = inside, .topic = "nameless"},
        {.line = 2, .number = outside, .topic = "far", .fields = name},
        {.line = 3, .number = inside, .topic = "paris", .fields = name},
        {.line = 4, .number = inside, .topic = "rome", .fields = name}};
    const Counts counts = world.feed("welcome", events);
    CHECK(counts.of(Verdict::fresh) == 1);
    CHECK(counts.of(Verdict::outside) == 1);
    REQUIRE(counts.of(Verdict::bad) == 2);
    CHECK(world.pair("welcome", "paris", inside));
    std::optional<Result<trigger::Trace>> trace;
    world.triggers().trace("welcome", outside, "paris",
                           [&](auto found) { trace = std::move(found); });
    REQUIRE(world.run(1s, [&] { return trace.has_value(); }));
    REQUIRE(trace->has_value());
    CHECK_FALSE((*trace)->in_share);
    REQUIRE((*trace)->pairs.size() == 1);
    CHECK((*trace)->pairs[0].verdict == Verdict::outside);
    CHECK(counts.samples[1].line == 4);
    CHECK(counts.samples[1].why.ends_with("raise topics_max, or name the topics in a file"));
}

TEST_CASE("trigger: bad events are counted and named, and hurt no other") {
    test::World world(rack("fields = [\"name\"]\nbatch_s = 0\nshare = 1.0\n"));
    REQUIRE(world.run_until_ready());
    const std::string good = number(1);
    const std::vector<trigger::Event> events{{.line = 1, .number = "nobody", .topic = "paris"},
                                             {.line = 2, .number = good, .topic = ""},
                                             {.line = 3, .number = "12345", .topic = "paris"},
                                             {.line = 4, .number = good, .topic = "paris"}};
    const Counts counts = world.feed("welcome", events);
    CHECK(counts.of(Verdict::bad) == 3);
    CHECK(counts.of(Verdict::fresh) == 1);
    CHECK(counts.accepted() == 1);
    REQUIRE(counts.samples.size() == 3);
    CHECK(counts.samples[0].line == 1);
    CHECK_FALSE(counts.samples[0].why.contains("nobody"));
    CHECK(counts.samples[1].why == "topic: not 1 to 255 octets");
    const auto unknown = world.triggers().offer("other", events, [](auto) {});
    REQUIRE_FALSE(unknown);
    CHECK(unknown.error().code == Errc::not_found);
}

TEST_CASE(
    "trigger: of its bad events the last ones are shown, whatever line they had in their feed") {
    test::World world(rack("batch_s = 0\n"));
    REQUIRE(world.run_until_ready());
    std::vector<trigger::Event> many;
    for (std::uint64_t line = 9'001; line <= 9'030; ++line) {
        many.push_back({.line = line, .number = "nobody", .topic = "paris"});
    }
    (void)world.feed("welcome", many);
    for (const std::uint64_t line : {1U, 2U}) {
        const std::vector<trigger::Event> one{{.line = line, .number = "no one", .topic = "paris"}};
        (void)world.feed("welcome", one);
    }
    const auto view = world.triggers().view();
    const auto& shown = view.triggers.at(0).counts.samples;
    REQUIRE(shown.size() == trigger::bad_samples_max);
    CHECK(shown.front().line == 9'013);
    CHECK(shown[17].line == 9'030);
    CHECK(shown[18].line == 1);
    CHECK(shown[19].line == 2);
}

TEST_CASE(
    "trigger: a feed that is too fast for the rack waits; nothing is lost, and nothing comes "
    "twice") {
    test::WorldSettings settings =
        rack("batch_s = 0\n",
             "[priority]\nsla_ms = [20000, 20000, 20000, 20000, 20000, 20000, 20000]\n");
    settings.service = 500ms;
    test::World world(settings);
    REQUIRE(world.run_until_ready());
    for (int i = 0; i < 8; ++i) {  // until the rate is known
        const MessageId id = world.send({.to = number(9'000 + i), .text = "x", .priority = 6});
        REQUIRE(world.run(10s, [&] { return world.state(id) == MessageState::delivered; }));
    }
    std::vector<Said> many;
    for (int i = 0; i < 400; ++i) {
        many.push_back({number(i), "paris"});
    }
    std::optional<Result<Counts>> answer;
    const auto events = events_of(many);
    REQUIRE(world.triggers().offer("welcome", events,
                                   [&](Result<Counts> counts) { answer = std::move(counts); }));
    world.run_for(2s);
    CHECK_FALSE(answer);
    CHECK(world.triggers().view().triggers[0].waiting_for == trigger::WaitingFor::overload);
    CHECK(world.triggers().view().triggers[0].waiting > 0);
    REQUIRE(world.run(10min, [&] { return answer.has_value(); }));
    REQUIRE(answer->has_value());
    CHECK(tally(**answer) == Tally{400, 0, 0});
    REQUIRE(world.run(10min, [&] { return world.modems.journal.submits.size() == 408; }));
    for (const auto& [to, times] : submits(world)) {
        CAPTURE(to);
        CHECK(times == 1);
    }
}

TEST_CASE(
    "trigger: an event above max_age_s triggers nothing and claims nothing; a fresh one later "
    "does") {
    test::World world(rack("batch_s = 0\nmax_age_s = 3600\n"));
    REQUIRE(world.run_until_ready());
    const WallTime now = world.clock.wall();
    const std::string days_ago = time_text(now - 72h);
    const std::string minutes_ago = time_text(now - 10min);
    const std::string ahead = time_text(now + 5h);
    const auto counts = [&](int i, std::string_view time) {
        const std::string to = number(i);
        const trigger::Event event{.line = 1, .number = to, .topic = "paris", .time = time};
        return world.feed("welcome", std::span(&event, 1));
    };
    CHECK(counts(9, minutes_ago).of(Verdict::fresh) == 1);  // so the topic is known
    const Counts old = counts(1, days_ago);
    CHECK(old.of(Verdict::too_old) == 1);
    CHECK(old.accepted() == 1);
    CHECK(old.samples.empty());
    CHECK(world.messages() == 1);
    CHECK_FALSE(world.pair("welcome", "paris", number(1)));
    CHECK(counts(1, minutes_ago).of(Verdict::fresh) == 1);
    CHECK(counts(1, days_ago).of(Verdict::too_old) == 1);
    CHECK(counts(1, minutes_ago).of(Verdict::seen) == 1);
    CHECK(counts(2, {}).of(Verdict::fresh) == 1);     // it is of now
    CHECK(counts(3, ahead).of(Verdict::fresh) == 1);  // so is one from the future
    const Counts bad = counts(4, "this morning");
    CHECK(bad.of(Verdict::bad) == 1);
    REQUIRE(bad.samples.size() == 1);
    CHECK(bad.samples[0].why.starts_with("time: not a time such as"));
    CHECK(world.messages() == 4);
    CHECK(world.triggers().view().triggers[0].counts.of(Verdict::too_old) == 2);
}

TEST_CASE("trigger: the tag of an event's user says how large the share is; each tag is counted") {
    test::World world(
        rack("batch_s = 0\nshare = 0\nshare_by_tag = { beta = 1.0, staff = 0.5, none = 0 }\n"));
    REQUIRE(world.run_until_ready());
    const auto counts = [&](int i, std::string_view tag) {
        const std::string to = number(i);
        const trigger::Event event{.line = 1, .number = to, .topic = "paris", .tag = tag};
        return world.feed("welcome", std::span(&event, 1));
    };
    CHECK(counts(1, "beta").of(Verdict::fresh) == 1);
    CHECK(counts(2, {}).of(Verdict::outside) == 1);
    CHECK(counts(2, "guest").of(Verdict::outside) == 1);
    CHECK(counts(2, "none").of(Verdict::outside) == 1);
    CHECK(counts(2, "beta").of(Verdict::fresh) == 1);  // it was not claimed while it was outside
    CHECK(counts(2, "beta").of(Verdict::seen) == 1);
    std::uint64_t staff = 0;
    for (int i = 10; i < 110; ++i) {
        const bool first = counts(i, "staff").of(Verdict::fresh) == 1;
        staff += first ? 1 : 0;
        CHECK(first == trigger::in_share(0.5, "welcome", std::stoll(number(i).substr(1))));
    }
    CHECK(staff > 30);
    CHECK(staff < 70);
    const Counts bad = counts(3, "my tag");
    CHECK(bad.of(Verdict::bad) == 1);
    REQUIRE(bad.samples.size() == 1);
    CHECK(bad.samples[0].why.starts_with("tag: not 1 to 64 of letters"));
    for (int i = 0; i < 1'000; ++i) {  // as many tags as may come
        (void)counts(4, "t" + std::to_string(i));
    }
    const auto tags = world.triggers().view().triggers[0].tags;
    REQUIRE(tags.size() == 4);
    CHECK(tags[0].tag == "beta");
    CHECK(tags[0].share == 1);
    CHECK(tags[0].counts.of(Verdict::fresh) == 2);
    CHECK(tags[0].counts.of(Verdict::seen) == 1);
    CHECK(tags[1].tag == "none");
    CHECK(tags[1].counts.of(Verdict::outside) == 1);
    CHECK(tags[2].tag == "staff");
    CHECK(tags[2].counts.of(Verdict::fresh) == staff);
    CHECK(tags[2].counts.of(Verdict::outside) == 100 - staff);
    CHECK_FALSE(tags[3].tag);
    CHECK(tags[3].share == 0);
    CHECK(tags[3].counts.of(Verdict::outside) == 1'002);
    CHECK(tags[3].counts.of(Verdict::bad) == 1);
}

TEST_CASE(
    "trigger: a cell or a point has the topic of the table; an unknown place triggers nothing") {
    const test::TempDir dir;
    const std::string file = (dir.path() / "cells.csv").string();
    std::ofstream(file) << "cell,topic\n208-01-4711,paris\nlat,lon,km,topic\n"
                           "48.8566,2.3522,12,paris\n43.7102,7.2620,9,nice\n";
    test::World world(rack(fmt::format("batch_s = 0\ncells = {{ file = \"{}\" }}\n", file)));
    REQUIRE(world.run_until_ready());
    struct Where {
        std::string_view cell = {};
        std::string_view lat = {};
        std::string_view lon = {};
        std::string_view topic = {};
    };
    const auto counts = [&](int i, const Where& where) {
        const std::string to = number(i);
        const trigger::Event event{.line = 1,
                                   .number = to,
                                   .topic = where.topic,
                                   .cell = where.cell,
                                   .lat = where.lat,
                                   .lon = where.lon};
        return world.feed("welcome", std::span(&event, 1));
    };
    CHECK(counts(1, {.cell = "208-01-4711-33"}).of(Verdict::fresh) == 1);
    CHECK(world.pair("welcome", "paris", number(1)));
    CHECK(counts(1, {.lat = "48.85", .lon = "2.35"}).of(Verdict::seen) == 1);
    CHECK(counts(1, {.topic = "paris"}).of(Verdict::seen) == 1);
    CHECK(counts(2, {.cell = "999-9", .lat = "43.7", .lon = "7.25"}).of(Verdict::fresh) == 1);
    CHECK(world.pair("welcome", "nice", number(2)));
    CHECK(counts(3, {.cell = "208-01-4711", .topic = "rome"}).of(Verdict::fresh) == 1);
    CHECK(world.pair("welcome", "rome", number(3)));
    const Counts unknown = counts(4, {.lat = "40.4", .lon = "-3.7"});
    CHECK(unknown.of(Verdict::no_topic) == 1);
    CHECK(unknown.accepted() == 1);
    CHECK(unknown.samples.empty());
    CHECK(counts(4, {.cell = "208-02-1-1"}).of(Verdict::no_topic) == 1);
    CHECK(world.messages() == 3);
    struct Bad {
        Where where;
        const char* why;
    };
    for (const Bad& bad : {
             Bad{{}, "topic: is missing, and so are cell, and lat and lon"},
             Bad{{.lat = "48.85"}, "lon: not a number from -180 to 180"},
             Bad{{.lat = "91", .lon = "2"}, "lat: not a number from -90 to 90"},
             Bad{{.cell = "208-01-4711", .lat = "x", .lon = "2"},
                 "lat: not a number from -90 to 90"},
         }) {
        CAPTURE(bad.why);
        const Counts said = counts(5, bad.where);
        REQUIRE(said.samples.size() == 1);
        CHECK(said.samples[0].why == bad.why);
        CHECK(said.of(Verdict::bad) == 1);
    }
}

TEST_CASE("trigger: without max_age_s the time is not read") {
    test::World world(rack("batch_s = 0\n"));
    REQUIRE(world.run_until_ready());
    const std::string to = number(1);
    const trigger::Event event{.line = 1, .number = to, .topic = "paris", .time = "long ago"};
    CHECK(world.feed("welcome", std::span(&event, 1)).of(Verdict::fresh) == 1);
}

TEST_CASE(
    "trigger: an event grows too old while overload lets it wait; a younger one with it not") {
    test::WorldSettings settings =
        rack("batch_s = 0\nmax_age_s = 60\n",
             "[priority]\nsla_ms = [20000, 20000, 20000, 20000, 20000, 20000, 20000]\n");
    settings.service = 500ms;
    test::World world(settings);
    REQUIRE(world.run_until_ready());
    for (int i = 0; i < 8; ++i) {  // until the rate is known
        const MessageId id = world.send({.to = number(9'000 + i), .text = "x", .priority = 6});
        REQUIRE(world.run(10s, [&] { return world.state(id) == MessageState::delivered; }));
    }
    std::vector<Said> many;
    for (int i = 0; i < 400; ++i) {
        many.push_back({number(i), "paris"});
    }
    std::optional<Result<Counts>> answer;
    REQUIRE(world.triggers().offer("welcome", events_of(many),
                                   [&](Result<Counts> counts) { answer = std::move(counts); }));
    world.run_for(50s);
    std::optional<Result<Counts>> younger;
    const std::string last = number(399);
    const trigger::Event again{.line = 1, .number = last, .topic = "paris"};
    REQUIRE(world.triggers().offer("welcome", std::span(&again, 1),
                                   [&](Result<Counts> counts) { younger = std::move(counts); }));
    REQUIRE(world.run(10min, [&] { return answer && younger; }));
    REQUIRE(answer->has_value());
    REQUIRE(younger->has_value());
    const std::uint64_t old = (*answer)->of(Verdict::too_old);
    const std::uint64_t fresh = (*answer)->of(Verdict::fresh);
    CHECK(old > 0);
    CHECK(fresh > 0);
    CHECK(old + fresh == 400);
    CHECK(world.messages() == 8 + static_cast<std::int64_t>(fresh));
    CHECK((*younger)->of(Verdict::seen) == 1);  // the first of both that asked got "new"
    CHECK(world.pair("welcome", "paris", last));
}

TEST_CASE("trigger: not more than chunks_max wait; the next one is notified when there is room") {
    test::World world(rack("batch_s = 0\n"));
    REQUIRE(world.run_until_ready());
    world.hold_disk(true);
    std::size_t answered = 0;
    int room = 0;
    world.triggers().on_room([&] { ++room; });
    std::vector<std::string> numbers;
    for (int i = 0; i < 20; ++i) {
        numbers.push_back(number(i));
    }
    const auto offer = [&](std::size_t i) {
        const trigger::Event event{.line = 1, .number = numbers[i], .topic = "paris"};
        return world.triggers().offer("welcome", std::span(&event, 1), [&](auto) { ++answered; });
    };
    for (std::size_t i = 0; i < trigger::chunks_max; ++i) {
        CHECK(offer(i));
    }
    const auto refused = offer(trigger::chunks_max);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == Errc::busy);
    world.run_for(1s);
    CHECK(answered == 0);
    CHECK(room == 0);
    world.hold_disk(false);
    REQUIRE(world.run(1s, [&] { return answered == trigger::chunks_max; }));
    CHECK(room >= 1);
    CHECK(offer(trigger::chunks_max));
    REQUIRE(world.run(1s, [&] { return world.triggers().idle(); }));
}

TEST_CASE(
    "trigger: power goes between any two steps: each pair has one message, and it is sent once") {
    const std::vector<Said> said{{number(1), "paris"},
                                 {number(2), "paris"},
                                 {number(1), "rome"},
                                 {number(1), "paris"},
                                 {number(3), "rome"}};
    const std::map<std::string, int> once{{number(1), 2}, {number(2), 1}, {number(3), 1}};
    constexpr std::size_t stride = 4;  // turns; of some ten that go round
    for (const char* verify : {"true", "false"}) {
        bool all_sent = false;  // before the power goes: later cuts show nothing new
        for (std::size_t cut = 0; !all_sent; cut += stride) {
            CAPTURE(verify);
            CAPTURE(cut);
            REQUIRE(cut < 5'000);
            test::World world(rack(fmt::format("batch_s = 1\nverify = {}\n", verify)));
            REQUIRE(world.run_until_ready());
            std::optional<Result<Counts>> answer;
            const auto events = events_of(said);
            REQUIRE(world.triggers().offer(
                "welcome", events, [&](Result<Counts> counts) { answer = std::move(counts); }));
            world.run_turns(cut);
            const bool promised = answer && answer->has_value();
            all_sent = submits(world) == once;
            world.crash_and_restart();
            if (promised) {
                CHECK(world.messages() == 4);
            }
            const Counts again = feed(world, said);
            CHECK(again.accepted() == 5);
            CHECK(world.messages() == 4);
            if (promised) {
                CHECK(again.of(Verdict::fresh) == 0);
            }
            const auto row_of = [&](const Said& one) {
                return world.pair("welcome", one.topic, one.number);
            };
            REQUIRE(world.run(20min, [&] {
                return std::ranges::all_of(said, [&](const Said& one) {
                    const auto row = row_of(one);
                    return row && row->state != ports::PairState::claimed;
                });
            }));
            world.run_for(5s);
            std::map<std::string, int> sure;
            const std::set<Said> pairs(said.begin(), said.end());
            for (const Said& one : pairs) {
                const auto state = row_of(one)->state;
                CHECK(state != ports::PairState::failed);
                sure[one.number] += state == ports::PairState::sent ? 1 : 0;
            }
            for (const auto& [to, times] : once) {
                CAPTURE(to);
                const int sent = submits(world)[to];
                CHECK(sent <= times);
                CHECK(sent >= sure[to]);  // what is missing is in doubt
            }
            CHECK(world.messages() == 4);
        }
    }
}

TEST_CASE(
    "trigger: 40 cities of a file, many events, few new pairs: each traced to its message with its "
    "city's text") {
    const test::TempDir dir;
    const std::string file = (dir.path() / "cities.csv").string();
    {
        std::ofstream csv(file);
        csv << "topic,text\r\n";
        for (int city = 0; city < 40; ++city) {
            csv << fmt::format("city{0},\"Welcome, \"\"guest\"\", to city {0}\"\r\n", city);
        }
    }
    test::World world(rack(fmt::format("batch_s = 5\ntopics = {{ file = \"{}\" }}\n", file)));
    REQUIRE(world.run_until_ready());
    test::SeededRandom random(7);
    std::set<std::pair<std::string, std::string>> pairs;
    while (pairs.size() < 100) {
        pairs.emplace(number(static_cast<int>(random.below(60))),
                      fmt::format("city{}", random.below(40)));
    }
    const std::vector<std::pair<std::string, std::string>> list(pairs.begin(), pairs.end());
    Counts all;
    for (int chunk = 0; chunk < 20; ++chunk) {
        std::vector<Said> said;
        for (int i = 0; i < 1'000; ++i) {
            const auto& [to, city] = list[random.below(list.size())];
            said.push_back({to, city});
        }
        all.add(feed(world, said));
    }
    CHECK(tally(all) == Tally{100, 19'900, 0});
    CHECK(world.messages() == 100);
    std::vector<MessageId> ids;
    for (const auto& [to, city] : list) {
        const auto row = world.pair("welcome", city, to);
        REQUIRE(row);
        const auto detail = world.detail(row->message);
        CHECK(detail.message.to == to);
        CHECK(detail.message.body.text ==
              fmt::format("Welcome, \"guest\", to city {}", city.substr(4)));
        ids.push_back(row->message);
    }
    REQUIRE(world.run(10min, [&] { return all_ended(world, ids); }));
    CHECK(world.modems.journal.submits.size() == 100);
}
