// Two clients send parts with the same key to the same number: the phone puts both texts together.
#include "src/pdu/decode.hpp"
#include "tests/rack/support/world.hpp"

#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

const std::string number = "+33612345678";

intake::SubmitRequest part(const std::string& client, std::int64_t place, std::int64_t of) {
    return {.to = number,
            .text = client + " says part " + std::to_string(place) + ". ",
            .concat = intake::PartRequest{.key = "7", .of = of, .part = place},
            .client = client};
}

std::string whole(const std::string& client, int of) {
    std::string text;
    for (int place = 1; place <= of; ++place) {
        text += client + " says part " + std::to_string(place) + ". ";
    }
    return text;
}

/// What a phone makes of what the network got: by sender, reference and number of parts.
std::multiset<std::string> on_the_phone(const test::World& world) {
    std::map<std::tuple<std::string, int, int>, std::map<int, std::string>> messages;
    for (const auto& submit : world.modems.journal.submits) {
        const auto decoded =
            pdu::decode_pdu(pdu::octets_of(submit.pdu), pdu::Direction::from_mobile);
        REQUIRE(decoded);
        const auto& data = std::get<pdu::SmsSubmit>(decoded->tpdu).user_data;
        REQUIRE(data.udh);
        REQUIRE(data.udh->concat);
        const ConcatInfo& place = *data.udh->concat;
        auto& parts = messages[{submit.iccid, place.ref, place.total}];
        CHECK(parts.emplace(place.seq, data.text()).second);
        CHECK(parts.rbegin()->first == place.seq);  // in order
    }
    std::multiset<std::string> texts;
    for (const auto& [key, parts] : messages) {
        std::string text;
        for (const auto& [seq, piece] : parts) {
            text += piece;
        }
        texts.insert(text);
    }
    return texts;
}

}  // namespace

TEST_CASE("parts: two clients with the same key to the same number do not mix on the phone") {
    for (const unsigned modems : {1U, 3U}) {
        CAPTURE(modems);
        test::World world({.modems = modems, .service = 300ms});
        REQUIRE(world.run_until_ready());
        std::vector<MessageId> ids;
        for (const std::int64_t place : {3, 1, 4, 2}) {
            for (const char* client : {"anna", "bert"}) {
                ids.push_back(world.send(part(client, place, 4)));
            }
        }
        CHECK(world.run(60s, [&] { return world.all_are(ids, MessageState::delivered); }));
        CHECK(on_the_phone(world) ==
              std::multiset<std::string>{whole("anna", 4), whole("bert", 4)});
    }
}

TEST_CASE("parts: a crash, a hand-over or a missing part between them changes nothing") {
    for (const std::string what : {"crash", "crash while sending", "hand-over", "missing"}) {
        CAPTURE(what);
        test::World world({.modems = 2, .service = 2s});
        REQUIRE(world.run_until_ready());
        std::vector<MessageId> ids;
        const auto send = [&](std::int64_t place) {
            for (const char* client : {"anna", "bert"}) {
                ids.push_back(world.send(part(client, place, 3)));
            }
        };
        send(2);
        if (what == "crash") {
            world.crash_and_restart();
            REQUIRE(world.run_until_ready());
        } else if (what == "hand-over") {
            REQUIRE(world.hand_over());
        }
        send(1);
        if (what != "missing") {
            send(3);
        }
        if (what == "crash while sending") {
            REQUIRE(world.run(20s, [&] { return world.modems.journal.submits.size() >= 2; }));
            world.run_for(500ms);  // the answers are written
            world.crash_and_restart();
        }
        CHECK(world.run(10min, [&] { return world.all_are(ids, MessageState::delivered); }));
        const int of = what == "missing" ? 2 : 3;
        for (const std::string& text : on_the_phone(world)) {
            CAPTURE(text);
            CHECK((text == whole("anna", of) || text == whole("bert", of)));
        }
        CHECK(on_the_phone(world) ==
              std::multiset<std::string>{whole("anna", of), whole("bert", of)});
    }
}

TEST_CASE("parts: where their SIM does not come back, another one sends the rest after a minute") {
    test::World world({.modems = 2, .service = 2s});
    REQUIRE(world.run_until_ready());
    std::vector<MessageId> ids;
    for (const std::int64_t place : {1, 2, 3}) {
        ids.push_back(world.send(part("anna", place, 3)));
    }
    REQUIRE(world.run(20s, [&] { return world.modems.journal.submits.size() == 1; }));
    world.run_for(100ms);
    const auto& submits = world.modems.journal.submits;
    world.modems.modem(submits[0].modem)
        .inject(world.clock.steady(), {.kind = modem_sim::FaultKind::sim_removed});
    REQUIRE(world.run(3min, [&] { return submits.size() == 3; }));
    CHECK(submits[1].iccid != submits[0].iccid);
    CHECK(submits[2].iccid == submits[1].iccid);
    CHECK(submits[1].at - submits[0].at >= 50s);
    CHECK(submits[2].at - submits[1].at <= 10s);  // the new one is theirs from now on
    CHECK(world.run(1min, [&] { return world.state(ids[2]) == MessageState::delivered; }));
}

TEST_CASE("parts: ports of the client stay in the header of each part") {
    test::World world({.modems = 1, .service = 100ms});
    REQUIRE(world.run_until_ready());
    for (const std::int64_t place : {1, 2}) {
        auto request = part("anna", place, 2);
        request.elements = std::string("\x05\x04\x0b\x84\x23\xf0", 6);
        (void)world.send(request);
    }
    REQUIRE(world.run(20s, [&] { return world.modems.journal.submits.size() == 2; }));
    for (const auto& submit : world.modems.journal.submits) {
        const auto decoded =
            pdu::decode_pdu(pdu::octets_of(submit.pdu), pdu::Direction::from_mobile);
        REQUIRE(decoded);
        const auto& udh = std::get<pdu::SmsSubmit>(decoded->tpdu).user_data.udh;
        REQUIRE(udh);
        REQUIRE(udh->ports);
        CHECK(udh->ports->dst == 2948);
        CHECK(udh->concat->total == 2);
    }
}
