#include "src/notify/front_ends.hpp"

#include "tests/support/held_store.hpp"
#include "tests/support/manual_clock.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;
using ports::ClientGate;
using ports::ClientGateOrder;
using ports::ClientLink;
using ports::ClientLinkEvent;

namespace {

struct Connection final : notify::FrontEndConnection {
    void end_with(std::string_view word) override { ended = word; }
    std::string ended;
};

struct Rig {
    explicit Rig(notify::FrontEndSettings settings = {.disconnect = 30s, .heartbeat = 0s})
        : listener(settings, store, clock) {
        listener.on_deadline([this](SteadyTime at) { deadline = at; });
    }
    /// As the loop does it: the timer comes at the deadline.
    void pass(SteadyTime::duration time) {
        const SteadyTime until = clock.steady() + time;
        while (deadline <= until) {
            clock.advance(std::chrono::ceil<std::chrono::milliseconds>(deadline - clock.steady()));
            deadline = listener.step(clock.steady());
        }
        clock.advance(std::chrono::ceil<std::chrono::milliseconds>(until - clock.steady()));
    }
    [[nodiscard]] std::vector<std::string> told() const {
        std::vector<std::string> words;
        for (const Event& event : store.events) {
            CHECK(event.type == EventType::client_state);
            words.push_back(event.detail);
        }
        return words;
    }

    test::ManualClock clock;
    test::HeldStore store;
    notify::FrontEnds listener;
    SteadyTime deadline = never;
    const ports::ClientRow a{.id = ClientId{7}, .name = "a"};
    const ports::ClientRow b{.id = ClientId{8}, .name = "b"};
};

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("client_link_rules: every pair of state and event, and what is refused") {
    constexpr int none = -1;
    struct Row {
        ClientLink from;
        std::array<int, 3> to;  // by registered, link_lost, disconnect_timer
    };
    for (const Row& row :
         {Row{ClientLink::active, {0, 1, none}}, Row{ClientLink::pending, {0, none, 2}},
          Row{ClientLink::stop, {0, none, none}}}) {
        for (std::size_t event = 0; event < row.to.size(); ++event) {
            CAPTURE(event);
            const auto to =
                next(ports::client_link_rules, row.from, static_cast<ClientLinkEvent>(event));
            CHECK((to ? static_cast<int>(*to) : none) == row.to.at(event));
        }
    }
}

TEST_CASE("client_gate_rules: an order that changes nothing is refused") {
    using enum ClientGate;
    CHECK(next(ports::client_gate_rules, open, ClientGateOrder::block) == blocked);
    CHECK(next(ports::client_gate_rules, blocked, ClientGateOrder::open) == open);
    CHECK_FALSE(next(ports::client_gate_rules, open, ClientGateOrder::open));
    CHECK_FALSE(next(ports::client_gate_rules, blocked, ClientGateOrder::block));
}

TEST_CASE("FrontEnds: a lost link is pending until the disconnect timer, then the client is gone") {
    Rig rig;
    Connection connection;
    CHECK(rig.listener.seen("a").link == ClientLink::stop);
    rig.listener.registered(rig.a, connection);
    CHECK(rig.listener.seen("a").link == ClientLink::active);
    CHECK(rig.deadline == never);
    rig.listener.link_lost(rig.a.id, connection);
    CHECK(rig.listener.seen("a").link == ClientLink::pending);
    rig.pass(29s);
    CHECK(rig.listener.seen("a").link == ClientLink::pending);
    SUBCASE("back in time") {
        rig.listener.registered(rig.a, connection);
        rig.pass(1h);
        CHECK(rig.listener.seen("a").link == ClientLink::active);
        CHECK(rig.told() == Words{"active a", "pending a", "active a"});
    }
    SUBCASE("not back") {
        rig.pass(2s);
        CHECK(rig.listener.seen("a").link == ClientLink::stop);
        CHECK(rig.told() == Words{"active a", "pending a", "stop a"});
    }
    CHECK(rig.deadline == never);
    CHECK(rig.listener.refused() == 0);
}

TEST_CASE(
    "FrontEnds: of two connections with one name the newer replaces the older, which is notified") {
    Rig rig;
    Connection older;
    Connection newer;
    rig.listener.registered(rig.a, older);
    rig.listener.registered(rig.a, newer);
    CHECK(older.ended == "replaced");
    CHECK(newer.ended.empty());
    rig.listener.link_lost(rig.a.id, older);  // its end is no loss
    CHECK(rig.listener.seen("a").link == ClientLink::active);
    CHECK(rig.told() == Words{"active a"});
    rig.listener.link_lost(rig.a.id, newer);
    CHECK(rig.listener.seen("a").link == ClientLink::pending);
}

TEST_CASE("FrontEnds: with heartbeats, one that says nothing is cut off; anything it says counts") {
    Rig rig({.disconnect = 30s, .heartbeat = 20s});
    Connection a;
    Connection b;
    rig.listener.registered(rig.a, a);
    rig.listener.registered(rig.b, b);
    for (int i = 0; i < 5; ++i) {
        rig.pass(15s);
        rig.listener.heard("a");
    }
    CHECK(a.ended.empty());
    CHECK(b.ended == "not_heard");
    CHECK(rig.listener.seen("b").link == ClientLink::stop);
    CHECK(rig.listener.seen("a").link == ClientLink::active);
    rig.listener.heard("nobody");
    rig.pass(50s);
    CHECK(a.ended == "not_heard");
}

TEST_CASE("FrontEnds: one deadline for all, and none where no client has one") {
    Rig rig;
    Connection a;
    Connection b;
    rig.listener.registered(rig.a, a);
    rig.listener.registered(rig.b, b);
    rig.listener.link_lost(rig.a.id, a);
    const SteadyTime first = rig.deadline;
    CHECK(first == rig.clock.steady() + 30s);
    rig.pass(10s);
    rig.listener.link_lost(rig.b.id, b);
    CHECK(rig.deadline == first);
    rig.pass(20s);
    CHECK(rig.deadline == first + 10s);
    CHECK(rig.listener.counts() == std::array<std::size_t, 2>{0, 1});
    rig.pass(10s);
    CHECK(rig.deadline == never);
    CHECK(rig.listener.counts() == std::array<std::size_t, 2>{0, 0});
}

TEST_CASE(
    "FrontEnds: a forgotten client's connection is ended; at the service's end there is no "
    "notice") {
    Rig rig;
    Connection a;
    Connection b;
    rig.listener.registered(rig.a, a);
    rig.listener.registered(rig.b, b);
    rig.listener.forgotten("a");
    CHECK(a.ended == "forgotten");
    CHECK(rig.listener.seen("a").link == ClientLink::stop);
    rig.listener.close();
    rig.listener.link_lost(rig.b.id, b);
    CHECK(rig.told() == Words{"active a", "active b"});
}

TEST_CASE(
    "FrontEnds: who was away at an upgrade may come back for as long as before, and then stops") {
    Rig rig;
    Connection first;
    Connection second;
    rig.listener.registered(rig.a, first);
    rig.listener.registered(rig.b, second);
    rig.listener.link_lost(rig.a.id, first);
    const auto since = rig.listener.seen("a").since;
    rig.pass(10s);
    const auto away = rig.listener.away();
    REQUIRE(away.size() == 1);  // b goes over with its connection
    rig.listener.close();
    rig.store.events.clear();

    SteadyTime deadline = never;
    notify::FrontEnds next({.disconnect = 300s}, rig.store, rig.clock);
    next.on_deadline([&](SteadyTime at) { deadline = at; });
    next.adopt(away);
    CHECK(next.seen("a").link == ClientLink::pending);
    CHECK(next.seen("a").since == since);
    CHECK(deadline == rig.clock.steady() + 20s);
    SUBCASE("it comes back") {
        Connection again;
        next.registered(rig.a, again);
        CHECK(deadline == never);
        CHECK(rig.told() == Words{"active a"});
    }
    SUBCASE("it does not") {
        rig.clock.advance(20s);
        CHECK(next.step(rig.clock.steady()) == never);
        CHECK(next.seen("a").link == ClientLink::stop);
        CHECK(rig.told() == Words{"stop a"});
    }
    SUBCASE("the next upgrade comes first") {
        CHECK(next.away().size() == 1);
        CHECK(next.away().front().stop_at == away.front().stop_at);
    }
}
