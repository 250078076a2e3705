// Results of named clients over power cuts, and recipients that hear from the SIM that they know.
#include "tests/rack/support/world.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;
using test::World;

namespace {

std::string number(int i) {
    return fmt::format("+336{:08}", i);
}

/// A client that takes its results in pieces, and forgets the last piece at each power cut before it has acknowledged it.
struct Taking {
    std::string name;
    std::set<EventSeq> ids = {};
    std::vector<Event> events = {};  // each id once
    EventSeq acknowledged = {};

    void take(World& world, std::size_t piece) {
        const auto row = world.arrive(name, acknowledged);
        for (const Event& event : world.results(row, piece)) {
            CHECK(event.seq > acknowledged);
            CHECK((events.empty() || event.seq > events.back().seq || ids.contains(event.seq)));
            if (ids.insert(event.seq).second) {
                events.push_back(event);
            }
        }
    }
    void acknowledge() { acknowledged = events.empty() ? EventSeq{} : events.back().seq; }
};

/// The modem that the network took the message from.
std::string modem_of(World& world, MessageId id) {
    return world.detail(id).message.modem;
}

constexpr const char* sticky_route =
    "\n[[route]]\nprefix = \"+336\"\ngroup = \"default\"\nsticky = true\n";

}  // namespace

TEST_CASE("clients: over power cuts each gets every result of its own, in order, and no other") {
    World world({.modems = 2});
    REQUIRE(world.run_until_ready());
    std::map<std::string, std::set<MessageId>> sent;
    std::map<std::string, Taking> taking{{"a", {.name = "a"}}, {"b", {.name = "b"}}};
    int n = 0;
    for (int life = 0; life < 4; ++life) {
        for (int i = 0; i < 6; ++i) {
            const std::string client = i % 2 == 0 ? "a" : "b";
            sent[client].insert(
                world.send({.to = number(++n), .text = "result", .client = client}));
        }
        world.run_for(700ms + life * 333ms);
        taking["a"].take(world, 5);
        if (life % 2 == 0) {
            taking["a"].acknowledge();
        }
        world.crash_and_restart();
        REQUIRE(world.run_until_ready());
    }
    REQUIRE(world.run(60min, [&] {
        return std::ranges::all_of(sent, [&](const auto& client) {
            return std::ranges::all_of(client.second,
                                       [&](MessageId id) { return is_final(world.state(id)); });
        });
    }));
    for (auto& [name, client] : taking) {
        CAPTURE(name);
        for (std::size_t before = 1; before != client.events.size();) {
            before = client.events.size();
            client.acknowledge();
            client.take(world, 7);
        }
        std::map<MessageId, std::vector<MessageState>> moves;
        for (const Event& event : client.events) {
            CHECK(sent[name].contains(event.message));
            moves[event.message].push_back(event.state);
        }
        CHECK(moves.size() == sent[name].size());
        for (const auto& [id, states] : moves) {
            std::vector<MessageState> kept;
            for (const Event& event : world.detail(id).history) {
                kept.push_back(event.state);
            }
            CHECK(states == kept);
        }
        CHECK(world.arrive(name, client.events.back().seq).buffered == 0);
        CHECK(world.arrive(name).waiting == 0);
    }
}

TEST_CASE("sticky route: a recipient hears from one SIM, also after a power cut") {
    World world({.modems = 3, .toml = sticky_route});
    REQUIRE(world.run_until_ready());
    std::map<std::string, std::set<std::string>> modems;
    std::set<std::string> all;
    for (int wave = 0; wave < 3; ++wave) {
        std::vector<intake::SubmitRequest> requests;
        for (int i = 0; i < 24; ++i) {  // two to each number at once
            requests.push_back({.to = number(i % 12), .text = fmt::format("{} {}", wave, i)});
        }
        const auto ids = world.send_all(requests);
        REQUIRE(world.run(10min, [&] {
            return std::ranges::all_of(ids,
                                       [&](MessageId id) { return is_final(world.state(id)); });
        }));
        for (std::size_t i = 0; i < ids.size(); ++i) {
            CHECK(world.state(ids[i]) == MessageState::delivered);
            modems[requests[i].to].insert(modem_of(world, ids[i]));
            all.insert(modem_of(world, ids[i]));
        }
        world.crash_and_restart();
        REQUIRE(world.run_until_ready());
    }
    CHECK(all.size() == 3);
    for (const auto& [to, by] : modems) {
        CAPTURE(to);
        CHECK(by.size() == 1);
    }
}

TEST_CASE("sticky route: where that SIM is out another sends, and is known from then on") {
    World world({.modems = 2, .toml = sticky_route});
    REQUIRE(world.run_until_ready());
    const auto send = [&] {
        const MessageId id = world.send(number(1), "hello");
        REQUIRE(world.run(10min, [&] { return is_final(world.state(id)); }));
        return modem_of(world, id);
    };
    const std::string first = send();
    CHECK(send() == first);
    (void)world.gate(first, ports::GateOrder::drain);
    const std::string second = send();
    CHECK(second != first);
    (void)world.gate(first, ports::GateOrder::resume);
    CHECK(send() == second);
    CHECK(send() == second);
}
