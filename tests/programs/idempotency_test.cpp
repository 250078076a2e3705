// A client that does not know whether its request arrived may send it again.
#include "tests/support/rack.hpp"

#include <doctest/doctest.h>

#include <string>

namespace smsrack::test {

TEST_CASE(
    "the same ref and body gives the first answer again and sends once, also after a restart") {
    Rack rack({.modems = 1});
    const wire::Json message{{"to", "+33600000020"}, {"text", "once"}, {"ref", "order-1"}};
    const auto id = rack.submit(message);
    CHECK(rack.submit(message) == id);
    REQUIRE(rack.reaches(id, "delivered"));
    rack.kill_service();
    rack.start_service();
    CHECK(rack.submit(message) == id);
    CHECK(rack.submits_to("+33600000020").size() == 1);
}

TEST_CASE("the header Idempotency-Key is a ref") {
    const Rack rack({.modems = 1});
    const std::string body = R"({"to":"+33600000021","text":"by header"})";
    const auto first = rack.http("POST", "/v1/messages", body, "Idempotency-Key: key-1\r\n");
    const auto second = rack.http("POST", "/v1/messages", body, "Idempotency-Key: key-1\r\n");
    REQUIRE(first.status == 202);
    CHECK(second.json().at("id") == first.json().at("id"));
}

TEST_CASE("the same ref with another body is a conflict and sends nothing") {
    const Rack rack({.modems = 1});
    const auto id = rack.submit({{"to", "+33600000022"}, {"text", "first"}, {"ref", "order-2"}});
    const auto answer = rack.http("POST", "/v1/messages",
                                  R"({"to":"+33600000023","text":"other","ref":"order-2"})");
    CHECK(answer.status == 409);
    CHECK(answer.json().at("code") == "ref_conflict");
    REQUIRE(rack.reaches(id, "delivered"));
    CHECK(rack.submits_to("+33600000023").empty());
}

}  // namespace smsrack::test
