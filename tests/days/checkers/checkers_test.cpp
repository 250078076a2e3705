// Each checker sees what it is for, and nothing where all is well.
#include "tests/days/checkers/checkers.hpp"

#include "tests/days/user_data.hpp"
#include "tests/days/watch.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <string>

using namespace smsrack;
using namespace std::chrono_literals;
using days::Checker;
using days::Told;
using days::Violation;

namespace {

constexpr WallTime begin{std::chrono::sys_days{std::chrono::year{2026} / 5 / 1}};

Event moved(std::int64_t seq, std::int64_t message, MessageState state, std::string modem = {},
            std::chrono::milliseconds at = 0ms) {
    return {.seq = EventSeq{seq},
            .at = begin + at,
            .message = MessageId{message},
            .state = state,
            .modem = std::move(modem),
            .attempt = static_cast<std::uint16_t>(state == MessageState::sending ? 1 : 0)};
}

/// SMS-SUBMIT to 123, reference `mr`, valid for `validity`, with this text in octets.
test::Submitted submit(const std::string& to, const std::string& text, char mr = 0,
                       char validity = '\x10', SteadyTime at = {}, const std::string& iccid = {}) {
    const std::string pdu = std::string("\0", 1) + '\x11' + mr + "\x03\x91\x21\xF3" +
                            std::string("\0\x04", 2) + validity + static_cast<char>(text.size()) +
                            text;
    return {.at = at, .modem = 1, .to = to, .pdu = pdu, .iccid = iccid};
}

const char* rule_of(const std::function<void()>& what) {
    static std::string rule;
    try {
        what();
    } catch (const Violation& violation) {
        rule = violation.rule();
        return rule.c_str();
    }
    return "";
}

}  // namespace

TEST_CASE("user_data: what is said, whatever the reference and the validity") {
    CHECK(days::user_data(submit("+1", "hi").pdu) == std::string("\x04\x02hi"));
    CHECK(days::user_data(submit("+1", "hi", 7, '\x20').pdu) == std::string("\x04\x02hi"));
    CHECK(days::user_data("") == "");
    CHECK(days::user_data("\x01") == "");
}

TEST_CASE("once: the same segment twice is seen, also with another reference and validity") {
    const auto checker = days::once({});
    checker->at_network(submit("+1", "one"));
    checker->at_network(submit("+1", "two"));
    checker->at_network(submit("+2", "one"));
    CHECK(rule_of([&] { checker->at_network(submit("+1", "one", 9, '\x11')); }) ==
          std::string("once"));
}

TEST_CASE("once: under the policy that sends again, only what was uncertain may come twice") {
    const auto checker = days::once({.resends = true});
    checker->accepted({.id = MessageId{5}, .to = "+1"});
    checker->at_network(submit("+1", "one"));
    SUBCASE("it was") {
        checker->event(moved(1, 5, MessageState::uncertain));
        CHECK(rule_of([&] { checker->at_network(submit("+1", "one")); }) == std::string());
    }
    SUBCASE("it was not") {
        CHECK(rule_of([&] { checker->at_network(submit("+1", "one")); }) == std::string("once"));
    }
}

TEST_CASE("forward: a message that was sent is not sent again, and events do not repeat") {
    const auto checker = days::forward();
    checker->event(moved(1, 5, MessageState::sending));
    checker->event(moved(2, 5, MessageState::uncertain));
    checker->event(moved(3, 5, MessageState::sending));
    checker->event(moved(4, 5, MessageState::sent));
    CHECK(rule_of([&] { checker->event(moved(5, 5, MessageState::sending)); }) ==
          std::string("forward"));
    CHECK(rule_of([&] { checker->event(moved(4, 6, MessageState::sending)); }) ==
          std::string("forward"));
}

TEST_CASE("gate: a drained line may end what it has and what it was given just before, no more") {
    const auto checker = days::gate();
    std::int64_t seq = 0;
    const auto begins = [&](std::int64_t message, const std::string& line,
                            std::uint16_t attempt = 1, std::uint8_t segment = 0) {
        Event event = moved(++seq, message, MessageState::sending, line);
        event.attempt = attempt;
        event.segment = segment;
        return rule_of([&] { checker->event(event); });
    };
    const std::string well;
    const std::string wrong = "gate";
    CHECK(begins(5, "m1") == well);
    checker->gated("m1", false);
    CHECK(begins(5, "m1", 2, 1) == well);  // its next segment
    CHECK(begins(6, "m1") == well);
    CHECK(begins(7, "m2") == well);
    SUBCASE("a third message") {
        CHECK(begins(8, "m1") == wrong);
    }
    SUBCASE("a message that another line has tried") {
        CHECK(begins(7, "m1", 2) == wrong);
    }
    SUBCASE(
        "one that another line tried, and that must be sent again after this line was in doubt") {
        Event doubt = moved(++seq, 7, MessageState::uncertain, "m1");
        doubt.attempt = 2;
        checker->event(doubt);
        CHECK(begins(7, "m1", 2) == well);
    }
    SUBCASE("let in again") {
        checker->gated("m1", true);
        CHECK(begins(8, "m1") == well);
    }
}

TEST_CASE("gate: what a line has sent is reported again if it must be sent again, by any line") {
    const auto checker = days::gate();
    std::int64_t seq = 0;
    for (const bool drained : {false, true}) {
        if (drained) {
            checker->gated("m1", false);
        }
        for (const std::int64_t message : {1, 2, 3}) {
            CAPTURE(message);
            const auto rule = rule_of(
                [&] { checker->event(moved(++seq, message, MessageState::sending, "m1")); });
            CHECK(rule == std::string());  // the second time it is the same attempt
        }
    }
}

TEST_CASE("served: what is accepted in a quiet hour is sent, or its answer was lost") {
    struct Case {
        const char* what;
        bool quiet;
        std::optional<MessageState> end;
        bool wrong;
        std::uint16_t attempt = 0;  // that is said to have ended so
        std::uint32_t quota = 0;
        int cms = 0;
    };
    test::World world({});
    for (const auto& row :
         {Case{"sent", true, MessageState::sent, false},
          Case{"in doubt", true, MessageState::uncertain, false},
          Case{"failed at once", true, MessageState::failed, true},
          Case{"refused, as was ordered", true, MessageState::failed, false, 1, 0, 28},
          Case{"refused with a code that was not ordered", true, MessageState::failed, true, 1, 0,
               27},
          Case{"expired", true, MessageState::expired, true},
          Case{"expired at the service centre", true, MessageState::expired, false, 1},
          Case{"expired where SIMs have a quota", true, MessageState::expired, false, 0, 10},
          Case{"failed where SIMs have a quota", true, MessageState::failed, true, 0, 10},
          Case{"never begun", true, std::nullopt, true},
          Case{"failed while much goes wrong", false, MessageState::failed, false}}) {
        CAPTURE(row.what);
        const auto checker = days::served({.segments_per_hour = row.quota});
        checker->refusals_ordered(28, 1);
        checker->quiet(row.quiet);
        checker->accepted({.id = MessageId{7}, .to = "+1"});
        checker->quiet(false);
        if (row.end) {
            Event event = moved(1, 7, *row.end);
            event.attempt = row.attempt;
            if (row.cms != 0) {
                event.cause = {.kind = CodeKind::cms, .code = row.cms};
            }
            checker->event(event);
        }
        CHECK(rule_of([&] { checker->settled(world); }) == std::string(row.wrong ? "served" : ""));
    }
}

TEST_CASE(
    "bounded: a process that has run for a while may hold pages, and no megabytes for what it has "
    "done") {
    const auto checker = days::bounded();
    constexpr std::size_t mebi = 1'024 * 1'024;
    CHECK(rule_of([&] { checker->replaced(9 * mebi, 6 * mebi); }) == std::string());
    CHECK(rule_of([&] { checker->replaced(6 * mebi, 9 * mebi); }) == std::string());
    CHECK(rule_of([&] { checker->replaced(11 * mebi, 6 * mebi); }) == std::string("bounded"));
}

TEST_CASE(
    "kept: what was accepted is there in the evening, though a start in between has found it") {
    test::World world({});
    const MessageId id = world.send("+33600000001", "x");
    const auto checker = days::kept();
    const days::Told kept{.id = id, .to = "+33600000001"};
    checker->accepted(kept);
    CHECK(rule_of([&] { checker->settled(world); }) == std::string());
    days::Told gone = kept;
    gone.id = MessageId{id.value + 1};
    checker->accepted(gone);
    CHECK(rule_of([&] { checker->settled(world); }) == std::string("kept"));
}

TEST_CASE("quota: one more than a SIM may send in an hour is seen, on whatever line it is") {
    const auto checker = days::quota({.segments_per_hour = 3});
    const SteadyTime start{};
    const auto send = [&](std::chrono::minutes at, const std::string& iccid) {
        checker->at_network(submit("+1", "x", 0, '\x10', start + at, iccid));
    };
    for (int i = 0; i < 4; ++i) {  // the first may have begun in the hour before
        send(std::chrono::minutes(i), "a");
        send(std::chrono::minutes(i), "b");
    }
    SUBCASE("in the same hour") {
        CHECK(rule_of([&] { send(59min, "a"); }) == std::string("quota"));
    }
    SUBCASE("in the next") {
        CHECK(rule_of([&] { send(61min, "a"); }) == std::string());
    }
}

TEST_CASE("quota: an hour continues while the machine is paused") {
    const auto checker = days::quota({.segments_per_hour = 1});
    const SteadyTime at{};
    for (int i = 0; i < 3; ++i) {
        checker->at_network(submit("+1", "x", 0, '\x10', at, "a"));
        checker->time_passed(at, 31min);
    }
    CHECK(rule_of([&] {
              checker->at_network(submit("+1", "x", 0, '\x10', at, "a"));
              checker->at_network(submit("+1", "x", 0, '\x10', at, "a"));
          }) == std::string("quota"));
}

TEST_CASE("in_time: a code is not given to the network after its end, by true time") {
    struct Row {
        const char* what;
        std::chrono::seconds life;
        bool begun;  // before the machine was paused
        std::chrono::minutes still;
        SteadyTime at;
        const char* rule;
    };
    for (const Row& row : {
             Row{"in time", 60s, false, 0min, SteadyTime(30s), ""},
             Row{"by a modem that answers late", 60s, false, 0min, SteadyTime(150s), ""},
             Row{"too late", 60s, false, 0min, SteadyTime(4min), "in_time"},
             Row{"after a pause", 60s, false, 10min, SteadyTime(5s), "in_time"},
             Row{"the modem had it", 60s, true, 10min, SteadyTime(5s), ""},
             Row{"the modem had it long ago", 60s, true, 10min, SteadyTime(6min), "in_time"},
             Row{"no code", 10min, false, 30min, SteadyTime(5s), ""},
         }) {
        CAPTURE(row.what);
        const auto checker = days::in_time();
        checker->accepted({.id = MessageId{1}, .to = "+1", .at = begin, .life = row.life});
        if (row.begun) {
            checker->event(moved(1, 1, MessageState::sending));
        }
        checker->time_passed({}, row.still);
        CHECK(rule_of([&] { checker->at_network(submit("+1", "x", 0, '\x10', row.at)); }) ==
              std::string(row.rule));
    }
}

TEST_CASE("in_time: a clock move is lost where the disk is full until the process ends") {
    struct Case {
        const char* what;
        std::chrono::minutes ends_after;
        bool full;
        std::chrono::minutes accepted;  // after the clock was set
        bool wrong;
    };
    for (const Case& c :
         {Case{"soon", 4min, true, -1min, false}, Case{"later", 6min, true, -1min, true},
          Case{"the store has taken it", 4min, false, -1min, true},
          Case{"dated by the new clock", 4min, true, 1min, true}}) {
        CAPTURE(c.what);
        test::World world({});
        const auto checker = days::in_time();
        const SteadyTime set = world.clock.steady() + 2min;
        const auto go_to = [&](SteadyTime at) {
            world.run_for(std::chrono::ceil<std::chrono::milliseconds>(at - world.clock.steady()));
            checker->turn(world);
        };
        const auto accept = [&] {
            go_to(set + c.accepted);
            checker->accepted({.id = MessageId{1}, .to = "+1", .at = begin, .life = 60s});
        };
        if (c.accepted < 0min) {
            accept();
        }
        go_to(set);
        checker->clock_set(set, -3h);
        if (c.accepted >= 0min) {
            accept();
        }
        world.disk.fill(c.full);
        go_to(set + c.ends_after);
        world.disk.fill(false);
        checker->restarted(world);
        const auto late = submit("+1", "x", 0, '\x10', set + 3h);
        CHECK(rule_of([&] { checker->at_network(late); }) == std::string(c.wrong ? "in_time" : ""));
    }
}

TEST_CASE("read: while all is well a modem soon gives up what came in, confirmed or erased") {
    using What = test::InboundStep::What;
    struct Case {
        const char* what;
        bool quiet;
        What came;
        std::optional<What> left;
        bool wrong;
    };
    for (const Case& c :
         {Case{"stored and erased", true, What::stored, What::erased, false},
          Case{"given and confirmed", true, What::given, What::acknowledged, false},
          Case{"stored for long", true, What::stored, std::nullopt, true},
          Case{"given for long", true, What::given, std::nullopt, true},
          Case{"confirmed by itself", true, What::direct, std::nullopt, false},
          Case{"while much goes wrong", false, What::stored, std::nullopt, false}}) {
        CAPTURE(c.what);
        test::World world({});
        const auto checker = days::read({.service = 1s});
        const auto step = [&](What what, const std::string& pdu) {
            checker->came_in({.at = world.clock.steady(), .what = what, .pdu = pdu});
        };
        checker->quiet(c.quiet);
        step(c.came, "one");
        step(What::stored, "two");
        step(What::erased, "two");
        if (c.left) {
            step(*c.left, "one");
        }
        world.run_for(20s);
        CHECK(rule_of([&] { checker->turn(world); }) == std::string());
        world.run_for(1ms);
        CHECK(rule_of([&] { checker->turn(world); }) == std::string(c.wrong ? "read" : ""));
        checker->quiet(false);
        CHECK(rule_of([&] { checker->turn(world); }) == std::string());
    }
}

TEST_CASE("order: who was accepted long before is not begun long after") {
    const auto told = [](std::int64_t id, Level level, std::chrono::milliseconds at) {
        return Told{
            .id = MessageId{id}, .to = "+" + std::to_string(id), .level = level, .at = begin + at};
    };
    struct Case {
        const char* what;
        Level first;
        Level second;
        std::chrono::milliseconds begun;  // the first, behind the second
        bool wrong;
    };
    for (const Case& row : {Case{"at once behind it", 3, 3, 100ms, false},
                            Case{"a second behind it", 3, 3, 1'000ms, true},
                            Case{"which was higher", 3, 6, 1'000ms, false},
                            Case{"which was lower", 6, 3, 1'000ms, true}}) {
        CAPTURE(row.what);
        const auto checker = days::order({.ageing = {.on = false}});
        checker->accepted(told(1, row.first, 0ms));
        checker->accepted(told(2, row.second, 1'000ms));
        checker->event(moved(1, 2, MessageState::sending, "m1", 2'000ms));
        const auto rule = rule_of(
            [&] { checker->event(moved(2, 1, MessageState::sending, "m2", 2'000ms + row.begun)); });
        CHECK(rule == std::string(row.wrong ? "order" : ""));
    }
}

TEST_CASE("order: a line that has a message may read its inbox before it begins") {
    using What = test::InboundStep::What;
    struct Case {
        const char* what;
        unsigned modem;                       // that gives up what came in
        std::chrono::milliseconds erased;     // after the other message was begun
        std::chrono::milliseconds begun;      // so much later the first is begun
        std::optional<std::int64_t> between;  // the line begins this one meanwhile
        bool wrong;
    };
    for (const Case& c : {Case{"just before it begins", 2, 1s, 1'100ms, {}, false},
                          Case{"before the other was begun", 2, -100ms, 300ms, {}, true},
                          Case{"long before it begins", 2, 100ms, 1s, {}, true},
                          Case{"for longer than an inbox takes", 2, 40s, 40'100ms, {}, true},
                          Case{"another line", 3, 1s, 1'100ms, {}, true},
                          Case{"a line that has begun another", 2, 1s, 1'100ms, 3, true}}) {
        CAPTURE(c.what);
        test::World world({});
        const auto checker = days::order({.ageing = {.on = false}});
        const SteadyTime other = world.clock.steady() + 1s;
        const auto go_to = [&](SteadyTime at) {
            world.run_for(std::chrono::ceil<std::chrono::milliseconds>(at - world.clock.steady()));
            checker->turn(world);
        };
        const auto erase = [&] {
            go_to(other + c.erased);
            checker->came_in({.modem = c.modem, .what = What::erased});
        };
        checker->turn(world);
        for (const std::int64_t id : {1, 2, 3}) {
            checker->accepted({.id = MessageId{id},
                               .to = "+" + std::to_string(id),
                               .level = 3,
                               .at = begin + id * 1s});
        }
        if (c.erased < 0ms) {
            erase();
        }
        go_to(other);
        checker->event(moved(1, 2, MessageState::sending, "m1", 5s));
        if (c.between) {
            checker->event(moved(2, *c.between, MessageState::sending, "m2", 5s));
        }
        if (c.erased >= 0ms) {
            erase();
        }
        go_to(other + c.begun);
        const auto rule = rule_of(
            [&] { checker->event(moved(3, 1, MessageState::sending, "m2", 5s + c.begun)); });
        CHECK(rule == std::string(c.wrong ? "order" : ""));
    }
}

TEST_CASE("order: of one recipient too, also where another one is the oldest of the level") {
    struct Case {
        const char* what;
        std::chrono::milliseconds begun;  // the first, behind the second
        bool wrong;
    };
    for (const Case& c :
         {Case{"at the same time", 100ms, false}, Case{"a second behind it", 1'000ms, true}}) {
        CAPTURE(c.what);
        const auto checker = days::order({.ageing = {.on = false}});
        const auto accept = [&](std::int64_t id, const char* to, std::chrono::milliseconds at) {
            checker->accepted({.id = MessageId{id}, .to = to, .level = 3, .at = begin + at});
        };
        accept(1, "+1", 0ms);
        accept(2, "+2", 10ms);
        accept(3, "+2", 1'000ms);
        checker->event(moved(1, 1, MessageState::sending, "m1", 2'000ms));
        checker->event(moved(2, 3, MessageState::sending, "m2", 2'001ms));
        const auto rule = rule_of(
            [&] { checker->event(moved(3, 2, MessageState::sending, "m1", 2'001ms + c.begun)); });
        CHECK(rule == std::string(c.wrong ? "order" : ""));
    }
}

TEST_CASE("order: at the top the promoted and its own take turns") {
    struct Case {
        const char* what;
        std::int64_t own;  // begun for one promoted; 0: the promoted alone
        bool wrong;
    };
    for (const Case& c :
         {Case{"as it should", 7, false}, Case{"the promoted stand still", 1'000, true},
          Case{"the promoted alone", 0, true}}) {
        CAPTURE(c.what);
        const auto checker = days::order({});
        constexpr std::int64_t each = 100;
        for (std::int64_t id = 1; id <= each; ++id) {
            checker->accepted(
                {.id = MessageId{id}, .to = "+" + std::to_string(id), .level = 5, .at = begin});
            checker->accepted({.id = MessageId{each + id},
                               .to = "+" + std::to_string(each + id),
                               .level = 6,
                               .at = begin + 10s});
        }
        std::int64_t promoted = 0;
        std::int64_t own = each;
        const auto rule = rule_of([&] {
            for (std::int64_t i = 1; promoted < each && own < 2 * each; ++i) {
                const bool turn = c.own == 0 || i % (c.own + 1) == 0;
                checker->event(moved(i, turn ? ++promoted : ++own, MessageState::sending, "m1",
                                     20s + i * 1ms));
            }
        });
        CHECK(rule == std::string(c.wrong ? "order" : ""));
    }
}

TEST_CASE("order: one from before a disturbance may be the promoted one whose turn it is") {
    for (const bool they_begin : {true, false}) {
        CAPTURE(they_begin);
        const auto checker = days::order({});
        constexpr std::int64_t each = 100;
        const auto accept = [&](std::int64_t id, Level level, std::chrono::seconds at) {
            checker->accepted({.id = MessageId{id},
                               .to = "+" + std::to_string(id),
                               .level = level,
                               .at = begin + at});
        };
        for (std::int64_t id = 1; id <= each; ++id) {
            accept(id, 5, 0s);
        }
        checker->disturbed({});
        accept(each + 1, 5, 1s);  // is behind all of those
        for (std::int64_t id = each + 2; id <= 2 * each; ++id) {
            accept(id, 6, 10s);
        }
        std::int64_t promoted = 0;
        std::int64_t own = each + 1;
        const auto rule = rule_of([&] {
            for (std::int64_t i = 1; own < 2 * each; ++i) {
                const bool turn = they_begin && i % 8 == 0;
                checker->event(moved(i, turn ? ++promoted : ++own, MessageState::sending, "m1",
                                     20s + i * 1ms));
            }
        });
        CHECK(rule == std::string(they_begin ? "" : "order"));
    }
}

TEST_CASE("pairs: each event is new once, unless it may have been forgotten") {
    const auto decided = [](std::size_t fresh, std::size_t must_be_new, std::size_t may_be_new) {
        const auto checker = days::pairs({});
        checker->decided({{"+1", "a"}, {"+1", "b"}, {"+2", "a"}},
                         {.fresh = fresh, .must_be_new = must_be_new, .may_be_new = may_be_new});
    };
    CHECK(rule_of([&] { decided(1, 1, 1); }) == std::string());
    CHECK(rule_of([&] { decided(2, 1, 2); }) == std::string());  // one was forgotten
    CHECK(rule_of([&] { decided(0, 1, 1); }) == std::string("pairs"));
    CHECK(rule_of([&] { decided(2, 1, 1); }) == std::string("pairs"));
}

TEST_CASE("watch: one rule alone is heard, or all") {
    for (const char* only : {"", "kept", "order"}) {
        CAPTURE(only);
        test::World world({});
        days::Watch watch(world, {}, only);
        watch.accepted({.id = MessageId{77}, .to = "+1"});  // and no store has it
        const auto rule = rule_of([&] { watch.look_when_settled(); });
        CHECK(rule == std::string(only == std::string("order") ? "" : "kept"));
    }
}

TEST_CASE("served: of two that were refused alike one was ordered") {
    test::World world({});
    const auto checker = days::served({});
    checker->refusals_ordered(28, 1);
    checker->quiet(true);
    for (const std::int64_t id : {7, 8}) {
        checker->accepted({.id = MessageId{id}, .to = "+1"});
        Event event = moved(id, id, MessageState::failed);
        event.cause = {.kind = CodeKind::cms, .code = 28};
        checker->event(event);
    }
    CHECK(rule_of([&] { checker->settled(world); }) == std::string("served"));
}
