// A rack whose modems are switched to a faster rate: what is found after a crash, a restart of a modem and a
// hand-over, and a cable that does not carry the rate.
#include "tests/rack/support/world.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;
using modem_sim::FaultKind;

namespace {

constexpr unsigned base = 115'200;
constexpr unsigned fast = 230'400;

struct FastRack : test::World {
    explicit FastRack(unsigned count = 2, std::chrono::microseconds service = 500ms)
        : World({.modems = count, .service = service, .modem_toml = "fast_baud = 230400\n"}) {
        REQUIRE(run_until_ready());
    }

    [[nodiscard]] unsigned baud(std::size_t modem) { return modems.modem(modem).model().baud(); }
    void inject(std::size_t modem, const modem_sim::Fault& fault) {
        modems.modem(modem).inject(clock.steady(), fault);
    }
    std::vector<MessageId> send_some(int count) {
        std::vector<intake::SubmitRequest> requests;
        for (int i = 0; i < count; ++i) {
            requests.push_back(
                {.to = fmt::format("+3367{:07}", sent_++), .text = "hello", .report = true});
        }
        return send_all(requests);
    }
    bool all_delivered(const std::vector<MessageId>& ids, std::chrono::seconds within = 60s) {
        return run(within, [&] { return all_are(ids, MessageState::delivered); });
    }
    void offer(std::size_t modem, std::uint64_t id) {
        CHECK(modems.modem(modem).offer(
            clock.steady(),
            {.id = id, .from = "+33612345678", .text = fmt::format("message {}", id)}));
    }
    bool receives(std::size_t count, std::chrono::seconds within = 60s) {
        return run(within, [&] { return inbox().size() == count; });
    }

private:
    int sent_ = 0;
};

bool has_fallback(const test::World& world) {
    return world.rack().lines().at(0).fallbacks.fast_baud;
}

}  // namespace

TEST_CASE("fast_baud: the rack sends and receives at the faster rate") {
    FastRack rack;
    CHECK(rack.baud(0) == fast);
    CHECK(rack.baud(1) == fast);
    CHECK_FALSE(has_fallback(rack));
    CHECK(rack.all_delivered(rack.send_some(10)));
    rack.offer(0, 1);
    rack.offer(1, 2);
    CHECK(rack.receives(2));
}

TEST_CASE("fast_baud: the late answer of a submit is read at the rate that a killed process left") {
    FastRack rack(1, 5s);
    const auto ids = rack.send_some(1);
    rack.run_for(1s);
    REQUIRE(rack.modems.journal.submits.empty());  // it is with the network
    rack.crash_and_restart();
    CHECK(rack.all_delivered(ids));
    CHECK(rack.modems.journal.submits.size() == 1);
    CHECK(rack.detail(ids.front()).attempts.size() == 1);
    CHECK(rack.baud(0) == fast);
    rack.offer(0, 1);
    CHECK(rack.receives(1));
}

TEST_CASE("fast_baud: the next process continues at the faster rate") {
    FastRack rack;
    REQUIRE(rack.hand_over());
    CHECK(rack.taken_over() == 2);
    CHECK(rack.baud(0) == fast);
    CHECK(rack.all_delivered(rack.send_some(6)));
    rack.offer(1, 1);
    CHECK(rack.receives(1));
    CHECK_FALSE(rack.dialogue("m0").contains("AT+CGSN"));
}

TEST_CASE("fast_baud: a modem that restarts is found at its first rate, and raised again") {
    FastRack rack(1);
    rack.inject(0, {.kind = FaultKind::reboot});
    CHECK(rack.baud(0) == base);
    CHECK(rack.run(20s, [&] { return rack.baud(0) == fast; }));
    CHECK(rack.all_delivered(rack.send_some(3)));
}

TEST_CASE("fast_baud: a modem may restart at any moment, also while it is asked something") {
    for (auto after = 0ms; after <= 60ms;
         after += 2ms) {  // it is listed, asked for its signal, idle
        CAPTURE(after.count());
        FastRack rack(1);
        rack.run_for(after);
        rack.inject(0, {.kind = FaultKind::reboot});
        CHECK(rack.run(20s, [&] { return rack.baud(0) == fast; }));
        CHECK(rack.all_delivered(rack.send_some(1), 20s));
    }
}

TEST_CASE("fast_baud: a modem that restarts with a submit leaves it in doubt, and is found again") {
    FastRack rack(1, 5s);
    const auto ids = rack.send_some(1);
    rack.run_for(1s);
    rack.inject(0, {.kind = FaultKind::reboot});
    // Its late answer would come at the faster rate, so that is listened to for half a minute first.
    CHECK(rack.run(45s, [&] { return rack.baud(0) == fast; }));
    CHECK(rack.all_are(ids, MessageState::uncertain));
    CHECK(rack.all_delivered(rack.send_some(1), 20s));
}

TEST_CASE("fast_baud: a modem that restarts while no process is there is found at its first rate") {
    FastRack rack(1);
    rack.inject(0, {.kind = FaultKind::reboot});
    rack.crash_and_restart();
    CHECK(rack.run(20s, [&] { return rack.baud(0) == fast; }));
    CHECK(rack.all_delivered(rack.send_some(3)));
}

TEST_CASE("fast_baud: a line whose cable does not carry the rate goes back, and loses nothing") {
    FastRack rack(1);
    const auto before = rack.send_some(3);
    CHECK(rack.all_delivered(before));
    rack.inject(0, {.kind = FaultKind::rate_lossy, .code = base});
    const auto ids = rack.send_some(20);
    for (std::uint64_t id = 1; id <= 20; ++id) {
        rack.offer(0, id);
    }
    CHECK(rack.run(20min, [&] { return rack.baud(0) == base; }));
    CHECK(rack.receives(20, 600s));
    const auto is_over = [](MessageState state) {
        return state == MessageState::delivered || state == MessageState::uncertain;
    };
    CHECK(rack.run(20min, [&] { return rack.all_are(ids, is_over); }));
    CHECK(rack.modems.journal.submits.size() == before.size() + ids.size());
    CHECK(rack.baud(0) == base);
    CHECK(rack.all_delivered(rack.send_some(5)));
    CHECK(has_fallback(rack));
    REQUIRE(rack.hand_over());
    CHECK(rack.run(10s, [&] { return has_fallback(rack); }));
}

TEST_CASE("fast_baud: a modem that says OK and stays at its rate works at that") {
    test::World rack({.modems = 1, .modem_toml = "fast_baud = 230400\n"});
    rack.modems.modem(0).inject(rack.clock.steady(), {.kind = FaultKind::rate_ignored});
    REQUIRE(rack.run_until_ready());
    CHECK(rack.modems.modem(0).model().baud() == base);
    const MessageId id = rack.send("+33612345678", "hello");
    CHECK(rack.run(30s, [&] { return rack.state(id) == MessageState::delivered; }));
}

TEST_CASE("fast_baud: a modem that does not list the rate works at its own") {
    test::World rack({.modems = 1, .modem_toml = "fast_baud = 460800\n"});
    REQUIRE(rack.run_until_ready());
    CHECK(rack.modems.modem(0).model().baud() == base);
    const auto conditions = rack.rack().status().conditions;
    CHECK(std::ranges::count(conditions, "fast_baud_off", &ports::Condition::name) == 1);
    const MessageId id = rack.send("+33612345678", "hello");
    CHECK(rack.run(30s, [&] { return rack.state(id) == MessageState::delivered; }));
}
