#include "src/wire/incoming_request.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;
using namespace smsrack::wire;
using namespace std::chrono_literals;

TEST_CASE("IncomingRequest: head, body and time come together, and are handed on once") {
    const Peer peer{.uid = 7};
    IncomingRequest incoming;
    incoming.begin({.method = "POST", .path = "/a"}, peer);
    CHECK(incoming.add_body("one", 10));
    CHECK(incoming.add_body("two", 10));
    incoming.whole(SteadyTime{} + 5s, 1000);
    CHECK(incoming.answer_bytes() == 1000);

    const HttpRequest request = incoming.take();
    CHECK(request.method == "POST");
    CHECK(request.path == "/a");
    CHECK(request.body == "onetwo");
    CHECK(request.peer == &peer);
    CHECK(request.received_at == SteadyTime{} + 5s);
    CHECK(incoming.request().path.empty());
    CHECK(incoming.request().body.empty());
    CHECK(incoming.request().peer == nullptr);
}

TEST_CASE("IncomingRequest: a piece that does not fit is refused whole") {
    IncomingRequest incoming;
    CHECK(incoming.add_body("1234", 5));
    CHECK_FALSE(incoming.add_body("56", 5));
    CHECK(incoming.request().body == "1234");
    CHECK(incoming.add_body("5", 5));
    CHECK(incoming.request().body == "12345");
}

TEST_CASE(
    "IncomingRequest: it holds the octets and the body, until they are handed on or dropped") {
    IncomingRequest incoming;
    incoming.keep_octets("POST /a");
    incoming.keep_octets("...");
    CHECK(incoming.held() == 10);
    CHECK(incoming.add_body("body", 10));
    CHECK(incoming.held() == 14);

    SUBCASE("left to another process") {
        CHECK(incoming.take_octets() == "POST /a...");
        CHECK(incoming.held() == 4);
    }
    SUBCASE("handed on") {
        incoming.drop_octets();
        CHECK(incoming.held() == 4);
        CHECK(incoming.take().body == "body");
        CHECK(incoming.held() == 0);
    }
    SUBCASE("refused") {
        incoming = {};
        CHECK(incoming.held() == 0);
        CHECK(incoming.take_octets().empty());
        CHECK(incoming.request().body.empty());
    }
}
