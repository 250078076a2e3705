// Senders without a clock, that say the same again or use one reference for all: the whole rack, and what is in the inbox in the end.
#include "tests/rack/support/world.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fmt/format.h>
#include <set>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

constexpr int no_fault = -1;

void inject(test::World& world, modem_sim::FaultKind kind, int code, int count) {
    modem_sim::Fault fault = modem_sim::make_fault(kind);
    fault.code = code;
    fault.count = count;
    world.modems.modem(0).inject(world.clock.steady(), fault);
}

void offer(test::World& world, std::uint64_t id, std::string text,
           std::optional<std::uint8_t> reference = {}) {
    REQUIRE(world.modems.modem(0).offer(
        world.clock.steady(),
        {.id = id, .from = "+33612345678", .text = std::move(text), .reference = reference}));
}

}  // namespace

TEST_CASE("repeats: an alarm that comes five times in twenty seconds is five, with any clock") {
    for (const int dead : {no_fault, 0, 1, 2}) {
        for (const bool killed : {false, true}) {
            CAPTURE(dead);
            CAPTURE(killed);
            test::World world({.modems = 1});
            REQUIRE(world.run_until_ready());
            if (dead != no_fault) {
                inject(world, modem_sim::FaultKind::dead_clock, dead, 5);
            }
            for (std::uint64_t id = 1; id <= 5; ++id) {
                offer(world, id, "ALARM zone 4 open");
                if (killed && id == 3) {
                    world.crash_and_restart();
                }
                world.run_for(4s);
            }
            world.run_for(600s);  // a sweep of the SIM, and all that could come again
            // What was pushed when the service was killed is sent again by the network. Without a
            // clock it can't be distinguished from the next alarm, so it is kept once more, marked
            // as all but the first.
            const std::size_t again = killed && dead != no_fault ? 1 : 0;
            const auto rows = world.inbox();
            CHECK(rows.size() >= 5);
            CHECK(rows.size() <= 5 + again);
            const auto marked = std::ranges::count_if(rows, &ports::InboxRow::maybe_repeat);
            CHECK(marked == (dead == no_fault ? 0 : static_cast<std::ptrdiff_t>(rows.size()) - 1));
            CHECK(world.modems.modem(0).model().core().card.sms.used() == 0);
        }
    }
}

TEST_CASE("repeats: a long message whose sender uses its reference and its head again is whole") {
    const std::string head(153, 'A');  // a whole segment
    for (const int dead : {no_fault, 0, 2}) {
        CAPTURE(dead);
        test::World world({.modems = 1});
        REQUIRE(world.run_until_ready());
        if (dead != no_fault) {
            inject(world, modem_sim::FaultKind::dead_clock, dead, 10);
        }
        for (std::uint64_t id = 1; id <= 2; ++id) {
            offer(world, id, head + fmt::format("zone {} open", id), 7);
            world.run_for(4s);
        }
        REQUIRE(world.run(120s, [&] { return world.inbox().size() == 2; }));
        std::set<std::string> texts;
        for (const auto& row : world.inbox()) {
            CHECK_FALSE(row.incomplete);
            texts.insert(row.content.text);
        }
        CHECK(texts == std::set{head + "zone 1 open", head + "zone 2 open"});
        world.run_for(25h);
        CHECK(world.inbox().size() == 2);
    }
}

TEST_CASE("repeats: messages whose +CMGS line was torn find their reports") {
    for (const bool killed : {false, true}) {
        CAPTURE(killed);
        test::World world({.modems = 1});
        REQUIRE(world.run_until_ready());
        inject(world, modem_sim::FaultKind::torn_reference, 0, 30);
        std::vector<MessageId> ids;
        for (int i = 0; i < 30; ++i) {
            ids.push_back(world.send(fmt::format("+3361234{:04}", i), "hello"));
        }
        if (killed) {
            world.run_for(20s);
            world.crash_and_restart();
        }
        world.run(1'200s, [&] { return world.all_are(ids, MessageState::delivered); });
        CHECK(world.all_are(ids, MessageState::delivered));
    }
}
