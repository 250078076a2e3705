// What an ESME is given of the events of the service.
#include "firmware-host/gate/smpp/event_pdus.hpp"

#include "src/smpp/note.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;
using namespace smsrack::gate;

namespace {

const smpp::Account account{.name = "shop", .hash = "$y$"};

wire::Json ended(const std::string& state) {
    const smpp::Note note{.registered_delivery = 1,
                          .destination = {.ton = 1, .npi = 1, .text = "33612345678"}};
    return {{"type", "message." + state},
            {"at", "2026-11-27T12:00:00.000Z"},
            {"id", "7"},
            {"state", state},
            {"code", nullptr},
            {"note", smpp::text_of_note(note)}};
}

wire::Json received(const std::string& member, const std::string& content) {
    return {
        {"type", "message.received"}, {"from", "+33612345678"}, {"to", nullptr}, {member, content}};
}

std::vector<smpp::Message> pdus(const wire::Json& event, const smpp::Account& by = account) {
    return pdus_of(event, by, 1);
}

}  // namespace

TEST_CASE("events for an ESME: an end has one receipt, also where a long message ends twice") {
    CHECK(pdus(ended("undelivered")).size() == 1);
    wire::Json second = ended("expired");
    second["again"] = true;
    CHECK(pdus(second).empty());
}

TEST_CASE("events for an ESME: a message of another program of this name has none") {
    wire::Json event = ended("delivered");
    event["note"] = "order 4711";
    CHECK(pdus(event).empty());
    event.erase("note");
    CHECK(pdus(event).empty());
}

TEST_CASE("events for an ESME: received octets arrive, whatever case their digits have") {
    for (const char* hex : {"00AB0a", "00ab0A"}) {
        CAPTURE(hex);
        const auto all = pdus(received("data", hex));
        REQUIRE(all.size() == 1);
        CHECK(all[0].short_message == std::string("\0\xAB\n", 3));
        CHECK(all[0].data_coding == 4);
    }
}

TEST_CASE("events for an ESME: ports and class of a received message are handed on") {
    wire::Json event = received("text", "Hi");
    event["class"] = 0;
    event["ports"] = {{"dst", 9200}, {"src", 5}, {"bits", 16}};
    const auto all = pdus(event);
    REQUIRE(all.size() == 1);
    CHECK(all[0].data_coding == 0x10);
    REQUIRE(smpp::find(all[0].tlvs, smpp::Tag::destination_port) != nullptr);
    CHECK(smpp::find(all[0].tlvs, smpp::Tag::destination_port)->number() == 9200);
    CHECK(smpp::find(all[0].tlvs, smpp::Tag::source_port)->number() == 5);
    for (const wire::Json& strange : {wire::Json(4), wire::Json(-1), wire::Json("0")}) {
        event["class"] = strange;
        event["ports"] = {{"dst", strange}};
        REQUIRE(pdus(event).size() == 1);
        CHECK(pdus(event)[0].data_coding == 0);
        CHECK(pdus(event)[0].tlvs.empty());
    }
}

TEST_CASE(
    "events for an ESME: an account without answers gets none, and parts where it wants parts") {
    const smpp::Account deaf{.name = "shop", .hash = "$y$", .incoming = smpp::Incoming::none};
    CHECK(pdus(received("text", "Hi"), deaf).empty());
    const smpp::Account parts{.name = "shop", .hash = "$y$", .incoming_parts = true};
    CHECK(pdus(received("text", std::string(200, 'a')), parts).size() == 2);
    CHECK(pdus(received("text", std::string(200, 'a'))).size() == 1);
}

TEST_CASE("events for an ESME: what is no event of the service is passed over") {
    for (const wire::Json& event :
         {wire::Json::object(), wire::Json{{"type", 5}}, wire::Json{{"type", "message.received"}},
          wire::Json{{"type", "message.received"}, {"data", "0"}},
          wire::Json{{"type", "message.delivered"}, {"state", "gone"}, {"note", "smpp 1"}}}) {
        CHECK(pdus(event).empty());
    }
}
