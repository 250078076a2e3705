// One process after the other takes the rack over, at any moment of the dialogue with its modems.
#include "tests/rack/support/world.hpp"
#include "tests/support/seeded_random.hpp"

#include <doctest/doctest.h>

#include <array>
#include <chrono>
#include <fmt/format.h>
#include <map>
#include <string>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

std::string number(int i) {
    return fmt::format("+3368{:07}", i);
}

std::map<std::string, int> submits_by_number(const test::World& world) {
    std::map<std::string, int> counts;
    for (const test::Submitted& submit : world.modems.journal.submits) {
        ++counts[submit.to];
    }
    return counts;
}

bool all_delivered(test::World& world, const std::vector<MessageId>& ids) {
    return world.all_are(ids, MessageState::delivered);
}

bool was_set_up_again(const test::World& world, const std::string& line) {
    return world.dialogue(line).contains("AT+CGSN");
}

}  // namespace

TEST_CASE("hand-over: a submit in the network's hand is answered to the next process") {
    test::World world({.modems = 1, .service = 5s});
    REQUIRE(world.run_until_ready());
    const MessageId id = world.send(number(1), "on its way");
    world.run_for(1s);
    for (int times = 0; times < 3; ++times) {
        REQUIRE(world.hand_over());
        CHECK(world.taken_over() == 1);
        CHECK(world.taken_in_hand() == 1);
        CHECK(world.rack().lines().at(0).busy);
        world.run_for(500ms);
    }
    CHECK(world.run(30s, [&] { return world.state(id) == MessageState::delivered; }));
    CHECK(world.modems.journal.submits.size() == 1);
    CHECK(world.detail(id).attempts.size() == 1);
    CHECK_FALSE(was_set_up_again(world, "m0"));
}

TEST_CASE(
    "hand-over: two hundred messages through forty processes, each once, and no modem is set up "
    "again") {
    for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U}) {
        CAPTURE(seed);
        test::World world({.modems = 4, .seed = seed, .service = 100ms, .exponential = true});
        REQUIRE(world.run_until_ready());
        std::vector<MessageId> ids;
        std::map<std::string, int> expected;
        for (int i = 0; i < 200; ++i) {
            const bool is_long = i % 10 == 0;
            ids.push_back(world.send(number(i), is_long ? std::string(400, 'x') : "hello"));
            expected[number(i)] = is_long ? 3 : 1;
        }
        test::SeededRandom random(seed);
        std::size_t in_hand = 0;
        for (int process = 0; process < 40; ++process) {
            world.run_for(std::chrono::milliseconds(random.next() % 300));
            REQUIRE(world.hand_over());
            CHECK(world.taken_over() == 4);
            in_hand += world.taken_in_hand();
            for (const char* const line : {"m0", "m1", "m2", "m3"}) {
                CHECK_FALSE(was_set_up_again(world, line));
            }
        }
        CHECK(in_hand > 20);
        CHECK(world.run(120s, [&] { return all_delivered(world, ids); }));
        CHECK(submits_by_number(world) == expected);
    }
}

TEST_CASE("hand-over: what modems receive meanwhile is kept once") {
    test::World world({.modems = 2});
    REQUIRE(world.run_until_ready());
    test::SeededRandom random(7);
    int offered = 0;
    for (int process = 0; process < 30; ++process) {
        for (unsigned modem = 0; modem < 2; ++modem) {
            offered += world.modems.modem(modem).offer(
                           world.clock.steady(),
                           {.from = "+33612340000", .text = fmt::format("in {}", offered)})
                           ? 1
                           : 0;
        }
        world.run_for(std::chrono::milliseconds(random.next() % 60));
        REQUIRE(world.hand_over());
    }
    CHECK(
        world.run(60s, [&] { return world.inbox().size() >= static_cast<std::size_t>(offered); }));
    world.run_for(400s);  // a sweep finds nothing that was kept before
    CHECK(world.inbox().size() == static_cast<std::size_t>(offered));
    CHECK(offered > 50);
}

TEST_CASE("hand-over: a modem that is being set up is set up again, the others continue") {
    test::World world({.modems = 2});
    REQUIRE(world.run_until_ready());
    world.modems.modem(0).inject(world.clock.steady(),
                                 modem_sim::make_fault(modem_sim::FaultKind::reboot));
    world.run_for(100ms);
    REQUIRE(world.hand_over());
    CHECK(world.taken_over() == 1);
    CHECK(world.run_until_ready());
    const MessageId id = world.send(number(1), "as before");
    CHECK(world.run(30s, [&] { return world.state(id) == MessageState::delivered; }));
}

TEST_CASE(
    "hand-over: an answer that comes after a submit was given up is the next process's evidence") {
    test::World world(
        {.modems = 1, .service = 100ms, .toml = "[defaults]\nsubmit_timeout_s = 5\n"});
    REQUIRE(world.run_until_ready());
    world.modems.modem(0).inject(world.clock.steady(),
                                 modem_sim::make_fault(modem_sim::FaultKind::lose_answer));
    const MessageId id = world.send(number(1), "no answer");
    CHECK(world.run(2s, [&] { return !world.modems.journal.submits.empty(); }));
    REQUIRE(world.hand_over());
    CHECK(world.taken_in_hand() == 1);
    // By its report.
    CHECK(world.run(60s, [&] { return world.state(id) == MessageState::delivered; }));
    CHECK(world.modems.journal.submits.size() == 1);
}

TEST_CASE("hand-over: through faults of all kinds no message is lost, and none is sent twice") {
    constexpr std::array kinds{
        modem_sim::FaultKind::reboot,      modem_sim::FaultKind::drop_prompt,
        modem_sim::FaultKind::late_answer, modem_sim::FaultKind::lose_answer,
        modem_sim::FaultKind::cms_error,   modem_sim::FaultKind::garbage,
        modem_sim::FaultKind::split,       modem_sim::FaultKind::interleave,
        modem_sim::FaultKind::hang,        modem_sim::FaultKind::early_report,
        modem_sim::FaultKind::ring};
    int taken_over = 0;
    int in_hand = 0;
    for (const std::uint64_t seed : {11U, 12U, 13U}) {
        CAPTURE(seed);
        test::World world(
            {.modems = 4,
             .seed = seed,
             .service = 200ms,
             .exponential = true,
             .toml = "[defaults]\nsubmit_timeout_s = 5\n[queue]\nuncertain_s = 30\n"});
        REQUIRE(world.run_until_ready());
        std::vector<MessageId> ids;
        for (int i = 0; i < 150; ++i) {
            ids.push_back(world.send(number(i), "hello"));
        }
        test::SeededRandom random(seed);
        for (int round = 0; round < 40; ++round) {
            auto& modem = world.modems.modem(random.next() % 4);
            const auto kind = kinds.at(random.below(kinds.size()));
            modem.inject(world.clock.steady(), modem_sim::make_fault(kind));
            world.run_for(std::chrono::milliseconds(random.next() % 1'000));
            if (kind == modem_sim::FaultKind::hang) {
                modem.inject(world.clock.steady(),
                             modem_sim::make_fault(modem_sim::FaultKind::unhang));
            }
            if (world.hand_over(2s)) {
                taken_over += static_cast<int>(world.taken_over());
                in_hand += static_cast<int>(world.taken_in_hand());
            }
        }
        CHECK(world.run(600s, [&] {
            return world.all_are(ids, [](MessageState state) {
                return state == MessageState::delivered || state == MessageState::failed ||
                       state == MessageState::sent;
            });
        }));
        const auto at_network = submits_by_number(world);
        int unknown = 0;
        for (int i = 0; i < 150; ++i) {
            CAPTURE(i);
            const auto found = at_network.find(number(i));
            const int times = found == at_network.end() ? 0 : found->second;
            CHECK(times <= 1);
            const MessageState state = world.state(ids.at(static_cast<std::size_t>(i)));
            if (state == MessageState::failed) {
                ++unknown;
            } else {
                CHECK(times == 1);
            }
        }
        CHECK(unknown < 20);
    }
    CHECK(taken_over > 200);
    CHECK(in_hand > 30);
}

TEST_CASE(
    "hand-over: the next process accepts and refuses what this one did; one after a crash has "
    "measured nothing") {
    constexpr const char* sla =
        "[priority]\nsla_ms = [20000, 20000, 20000, 20000, 20000, 20000, 20000]\n";
    struct Row {
        const char* so;
        std::chrono::milliseconds service;
        int backlog;       // the queue that it is in
        bool taken;        // another one
        bool after_crash;  // by a rack that is credited with 20 segments a minute for each line
    };
    for (const Row& row : {
             Row{"faster than a rack is credited with", 100ms, 40, true, false},
             Row{"slower", 8s, 5, false, true},
         }) {
        CAPTURE(row.so);
        test::World world({.modems = 2, .service = row.service, .toml = sla});
        REQUIRE(world.run_until_ready());
        std::vector<MessageId> ids;
        for (int i = 0; i < 8; ++i) {  // until the rate is known
            ids.push_back(world.send(number(i), "x"));
            REQUIRE(world.run(30s, [&] { return all_delivered(world, ids); }));
        }
        int next = 100;
        const auto is_taken = [&] {
            return world.submit({.to = number(next++), .text = "x"}).has_value();
        };
        int taken = 0;
        while (taken < row.backlog && is_taken()) {
            ++taken;
        }
        REQUIRE(is_taken() == row.taken);
        for (int process = 0; process < 3; ++process) {
            REQUIRE(world.hand_over());
            CHECK(is_taken() == row.taken);
        }
        world.crash_and_restart();
        CHECK(is_taken() == row.after_crash);
    }
}

TEST_CASE("hand-over: a SIM that rests keeps resting, as long as it had to") {
    test::World world({.modems = 2, .service = 200ms, .toml = "[queue]\nretry_limit = 20\n"});
    REQUIRE(world.run_until_ready());
    world.modems.modem(0).inject(world.clock.steady(),
                                 {.kind = modem_sim::FaultKind::cms_error, .count = 3, .code = 38});
    std::vector<MessageId> ids;
    for (int i = 0; i < 30; ++i) {
        ids.push_back(world.send(number(i), "hello"));
    }
    const auto rests = [&] { return world.rack().lines().at(0).pause; };
    REQUIRE(world.run(60s, [&] { return rests().has_value(); }));
    const WallTime until = *rests()->until;
    for (int process = 0; process < 3; ++process) {
        world.run_for(10s);
        REQUIRE(world.hand_over());
        REQUIRE(world.run(1s, [&] { return rests().has_value(); }));
        CHECK(rests()->reason == "cooling");
        CHECK(*rests()->until >= until - 1s);
        CHECK(*rests()->until <= until + 1s);
    }
    CHECK(world.run(60s, [&] { return all_delivered(world, ids) && !rests(); }));
    CHECK(world.clock.wall() >= until);
}
