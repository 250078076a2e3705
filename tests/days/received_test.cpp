// How often a message may be in the inbox, by what the network delivered of it.
#include "tests/days/received.hpp"

#include "tools/modem_model/sms/sms_text.hpp"
#include "tools/modem_model/sms/tpdu.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;
using days::InboxRow;
using days::Received;
using What = test::InboundStep::What;

namespace {

constexpr WallTime noon{std::chrono::sys_days{std::chrono::year{2026} / 5 / 1} + 12h};
const std::string sender = "+33611223344";
const std::string zone_4 = "ALARM zone 4 open";

std::string pdu_of(const std::string& text, std::string_view stamp, std::size_t segment = 0) {
    return modem_sim::make_deliver(sender, stamp, modem_sim::make_segments(text, 7).at(segment))
        .octets;
}

/// Says what the network does, one line each.
struct Network {
    void offer(std::uint64_t id, const std::string& text = zone_4) {
        books.offered({.modem = 1, .id = id, .from = sender, .text = text, .iccid = "card"});
    }
    void step(What what, std::chrono::milliseconds at, std::uint64_t id, const std::string& pdu,
              int segment = 1, int segments = 1) {
        books.came_in({.at = SteadyTime{} + at,
                       .modem = 1,
                       .what = what,
                       .pdu = pdu,
                       .iccid = "card",
                       .id = id,
                       .segment = segment,
                       .segments = segments});
    }
    /// Stored at `at` and erased at once after it was read.
    void pass(std::chrono::milliseconds at, std::uint64_t id, const std::string& pdu) {
        step(What::stored, at, id, pdu);
        step(What::erased, at + 1s, 0, pdu);
        step(What::confirmed, at + 1s, 0, {});
    }
    [[nodiscard]] std::string judge(const std::vector<InboxRow>& rows) const {
        try {
            books.judge(rows);
        } catch (const days::Violation& violation) {
            return violation.what();
        }
        return "";
    }
    /// With `rows` in the inbox, of them `marked`.
    [[nodiscard]] bool is_well(std::size_t rows, std::size_t marked = 0) const {
        std::vector<InboxRow> all(rows, {.from = sender, .content = zone_4});
        for (std::size_t i = 0; i < marked; ++i) {
            all.at(i).maybe_repeat = true;
        }
        return judge(all).empty();
    }

    Received books;
    const std::string valid = pdu_of(zone_4, modem_sim::time_stamp(noon));
    const std::string dead = pdu_of(zone_4, modem_sim::dead_stamp(1));
};

}  // namespace

TEST_CASE("time_stamp_of: where it is in the PDU, for numbers and names") {
    const std::string stamp = modem_sim::time_stamp(noon);
    CHECK(days::time_stamp_of(pdu_of("x", stamp)) == stamp);
    const auto named =
        modem_sim::make_deliver("Panel 7", stamp, modem_sim::make_segments("x", 1).at(0));
    CHECK(days::time_stamp_of(named.octets) == stamp);
    CHECK(days::time_stamp_of("\x01").empty());
}

TEST_CASE("inbound: one message is there once, and unmarked") {
    Network network;
    network.offer(1);
    network.pass(0s, 1, network.valid);
    CHECK(network.is_well(1));
    CHECK_FALSE(network.is_well(0));
    CHECK_FALSE(network.is_well(2));
    CHECK_FALSE(network.is_well(2, 1));
    CHECK_FALSE(network.is_well(1, 1));
    CHECK(network.judge({{.from = sender, .content = "another"}}).contains("was never sent"));
    CHECK(network.judge({{.from = "+1", .content = zone_4}}).contains("was never sent"));
}

TEST_CASE("inbound: equal messages of one second are as many as they are, marked or not") {
    Network network;
    for (const std::uint64_t id : {1, 2, 3}) {
        network.offer(id);
        network.pass(id * 2s, id, network.valid);
    }
    CHECK(network.is_well(3));
    CHECK(network.is_well(3, 2));
    CHECK_FALSE(network.is_well(3, 3));  // of what would the first be a repeat?
    CHECK_FALSE(network.is_well(2));
    CHECK_FALSE(network.is_well(4, 1));
}

TEST_CASE("inbound: what the network repeats, by when and what is known of it") {
    struct Case {
        const char* what;
        std::chrono::milliseconds later;
        std::chrono::milliseconds read;  // after that, at the latest
        bool held;                       // while the first was still in the SIM
        bool dead;
        bool clock_set;
        bool twice;
        bool twice_marked;
    };
    for (const Case& c :
         {Case{"after TR1N", 40s, 1s, false, false, false, false, false},
          Case{"sooner than a network does", 10s, 1s, false, false, false, false, true},
          Case{"an hour later", 1h, 1s, false, false, false, false, true},
          Case{"read long after", 40s, 20min, false, false, false, false, true},
          Case{"while the first was there", 40s, 1s, true, false, false, true, true},
          Case{"without a time", 40s, 1s, false, true, false, true, true},
          Case{"a clock that was set", 40s, 1s, false, false, true, false, true}}) {
        CAPTURE(c.what);
        Network network;
        const std::string& pdu = c.dead ? network.dead : network.valid;
        network.offer(1);
        network.step(What::stored, 0s, 1, pdu);
        if (!c.held) {
            network.step(What::erased, 1s, 0, pdu);
        }
        if (c.clock_set) {
            network.books.clock_set(SteadyTime{} + 20s);
        }
        network.step(What::stored, c.later, 1, pdu);
        network.step(What::erased, c.later + c.read, 0, pdu);
        CHECK(network.is_well(1));
        CHECK_FALSE(network.is_well(0));
        CHECK(network.is_well(2) == c.twice);
        CHECK(network.is_well(2, 1) == c.twice_marked);
        CHECK_FALSE(network.is_well(3, 2));
    }
}

TEST_CASE("inbound: a long message that came again is unmarked only where a part is surely new") {
    const std::string text(200, 'x');
    const std::string stamp = modem_sim::time_stamp(noon);
    const std::string first = pdu_of(text, stamp, 0);
    const std::string second = pdu_of(text, stamp, 1);
    for (const bool held_at_once : {false, true}) {
        CAPTURE(held_at_once);
        Network network;
        network.offer(1, text);
        const auto pass = [&](std::chrono::milliseconds at, const std::string& pdu, int segment) {
            network.step(What::stored, at, 1, pdu, segment, 2);
            network.step(What::erased, at + 1s, 1, pdu, segment, 2);
            network.step(What::confirmed, at + 1s, 0, {});
        };
        pass(0s, first, 1);
        pass(10s, first, 1);
        network.step(What::stored, 20s, 1, second, 2, 2);
        const auto again = held_at_once ? 20s : 30s;
        if (!held_at_once) {
            network.step(What::erased, 21s, 1, second, 2, 2);
        }
        network.step(What::stored, again, 1, second, 2, 2);
        network.step(What::erased, 31s, 1, second, 2, 2);
        const auto is_well = [&](bool marked) {
            return network
                .judge({{.from = sender, .content = text},
                        {.from = sender, .content = text, .maybe_repeat = marked}})
                .empty();
        };
        CHECK(is_well(true));
        CHECK(is_well(false) == held_at_once);
    }
}

TEST_CASE("inbound: without a time one that can't be erased for long may be there again, marked") {
    Network network;
    network.offer(1);
    network.step(What::stored, 0s, 1, network.dead);
    network.step(What::erased, 11min, 0, network.dead);
    CHECK(network.is_well(2, 1));
    CHECK_FALSE(network.is_well(2));
}

TEST_CASE("inbound: an equal one that waited for room looks like a repeat, unless it has no time") {
    for (const bool dead : {false, true}) {
        CAPTURE(dead);
        Network network;
        const std::string& pdu = dead ? network.dead : network.valid;
        for (const std::uint64_t id : {1, 2}) {
            network.offer(id);
            network.pass(id * 60s, id, pdu);
        }
        CHECK(network.is_well(2));
        CHECK(network.is_well(1) == !dead);
    }
}

TEST_CASE(
    "inbound: an equal one in the place of one whose erasure was not confirmed may be missed") {
    struct Case {
        const char* what;
        bool confirmed;
        bool restarted;  // soon after
        std::size_t place;
        std::chrono::milliseconds later;
        bool may_be_missed;
    };
    for (const Case& c : {Case{"confirmed", true, false, 1, 60s, false},
                          Case{"not confirmed", false, false, 1, 60s, true},
                          Case{"another place", false, false, 2, 60s, false},
                          Case{"long after", false, false, 1, 11min, false},
                          Case{"confirmed to one that died", true, true, 1, 60s, true}}) {
        CAPTURE(c.what);
        Network network;
        const auto pass = [&](std::chrono::milliseconds at, std::uint64_t id, std::size_t place) {
            network.offer(id);
            for (const What what : {What::stored, What::erased}) {
                network.books.came_in({.at = SteadyTime{} + at,
                                       .modem = 1,
                                       .what = what,
                                       .pdu = network.dead,
                                       .iccid = "card",
                                       .id = id,
                                       .place = place});
                at += 1s;
            }
        };
        pass(0s, 1, 1);
        if (c.confirmed) {
            network.step(What::confirmed, 2s, 0, {});
        }
        if (c.restarted) {
            network.books.restarted(SteadyTime{} + 10s);
        }
        pass(c.later, 2, c.place);
        CHECK(network.is_well(2));
        CHECK(network.is_well(1) == c.may_be_missed);
    }
}

TEST_CASE("inbound: what was given and not confirmed comes again, and is one message") {
    Network network;
    network.offer(1);
    network.step(What::given, 0s, 1, network.valid);
    network.step(What::given, 45s, 1, network.valid);
    network.step(What::acknowledged, 46s, 1, network.valid);
    CHECK(network.is_well(1));
    CHECK_FALSE(network.is_well(2));
}

TEST_CASE("inbound: a SIM that is gone for good may have taken a message along") {
    Network network;
    network.offer(1);
    network.step(What::stored, 0s, 1, network.valid);
    network.books.sim_goes("card", {});
    CHECK(network.is_well(0));
    CHECK(network.is_well(1));
}

TEST_CASE("inbound: undecodable is only what was meant to be so") {
    Network network;
    network.step(What::stored, 0s, 0, "\x01\x02");
    CHECK(network.judge({{.content = "\x01\x02", .undecodable = true}}).empty());
    CHECK(network.judge({{.content = network.valid.substr(0, 9), .undecodable = true}})
              .contains("undecodable"));
}

TEST_CASE("inbound: a piece is right where a part was repeated alone or the SIM is gone") {
    const std::string text = std::string(200, 'a') + " zone 1 open";
    const std::string stamp = modem_sim::time_stamp(noon);
    const std::string first = pdu_of(text, stamp, 0);
    const std::string second = pdu_of(text, stamp, 1);
    const InboxRow whole{.from = sender, .content = text};
    const InboxRow piece{
        .from = sender, .content = text.substr(0, 153), .incomplete = true, .maybe_repeat = true};
    Network network;
    network.offer(1, text);
    network.step(What::stored, 0s, 1, first, 1, 2);
    network.step(What::stored, 1s, 1, second, 2, 2);
    CHECK(network.judge({whole}).empty());
    CHECK(network.judge({whole, piece}).contains("piece"));
    network.step(What::stored, 5s, 1, first, 1, 2);  // while the first is still there
    CHECK(network.judge({whole, piece}).empty());
    CHECK_FALSE(network.judge({whole, piece, piece}).empty());
    CHECK_FALSE(network.judge({whole, whole}).empty());
}
