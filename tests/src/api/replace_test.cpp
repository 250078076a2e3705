// PUT /v1/messages/{id}: another content for a message of which nothing was begun.
#include "tests/src/api/api_rig.hpp"

#include <doctest/doctest.h>

#include <string>

namespace smsrack::test {
namespace {

constexpr const char* path = "/v1/messages/42";

struct ReplaceRig : ApiRig {
    ReplaceRig() {
        ports::MessageRow& row = store.reader.detail.message;
        row = {.id = MessageId{42}, .to = "+33612345678", .level = 5};
        row.body = {.to = row.to,
                    .text = "before",
                    .report = false,
                    .message_class = 1,
                    .ports = PortAddress{.dst = 5, .src = 6}};
        store.replace_result = ports::Accepted{.id = MessageId{42}, .segments = 2};
    }
    const std::shared_ptr<FakeResponder> put(const std::string& body) {
        return done("PUT", path, body);
    }
};

}  // namespace

TEST_CASE("PUT message: the new content is checked as a new message is, and answered when stored") {
    ReplaceRig rig;
    const auto answer = rig.put(
        R"({"text":"after","ttl_s":60,"not_before":"2036-01-02T00:00:00Z","note":"order 7"})");
    CHECK(answer->answer.status == 200);
    CHECK(answer->answer.body == R"({"id":"42","state":"queued","segments":2})");
    REQUIRE(rig.store.replaced.size() == 1);
    const ports::ReplaceMessage& replaced = rig.store.replaced.front();
    CHECK(replaced.message == MessageId{42});
    CHECK(replaced.body.text == "after");
    CHECK(replaced.ttl == 60s);
    REQUIRE(replaced.not_before);
    CHECK(replaced.note == "order 7");
    CHECK(replaced.segments == 1);

    CHECK(rig.put(R"({"data":"00ff"})")->answer.status == 200);
    const ports::ReplaceMessage& octets = rig.store.replaced.back();
    CHECK(octets.body.is_data);
    CHECK(octets.body.data == std::string("\0\xff", 2));
    CHECK_FALSE(octets.ttl);
    CHECK_FALSE(octets.not_before);
    CHECK_FALSE(octets.note);
    CHECK(octets.at == rig.clock.wall());
}

TEST_CASE("PUT message: a status report is asked for, or not, or as before") {
    ReplaceRig rig;
    CHECK(rig.put(R"({"text":"after"})")->answer.status == 200);
    CHECK_FALSE(rig.store.replaced.back().report);
    for (const bool report : {true, false}) {
        const std::string body =
            std::string(R"({"text":"after","report":)") + (report ? "true}" : "false}");
        CHECK(rig.put(body)->answer.status == 200);
        CHECK(rig.store.replaced.back().report == report);
    }
    CHECK(rig.put(R"({"text":"after","report":"yes"})")->answer.status == 400);
}

TEST_CASE("PUT message: ports of the message take their room in the new content") {
    ReplaceRig rig;
    const std::string text(155, 'x');  // one segment without the header of the ports
    CHECK(rig.put(R"({"text":")" + text + "\"}")->answer.status == 200);
    CHECK(rig.store.replaced.back().segments == 2);
    rig.store.reader.detail.message.body.ports.reset();
    CHECK(rig.put(R"({"text":")" + text + "\"}")->answer.status == 200);
    CHECK(rig.store.replaced.back().segments == 1);
}

TEST_CASE("PUT message: further elements of its header take their room, and its TP-PID stays") {
    ReplaceRig rig;
    ports::MessageRow& row = rig.store.reader.detail.message;
    row.body.ports.reset();
    row.body.elements = "\x70\x1c" + std::string(28, 'x');
    row.body.pid = 0x41;
    const std::string text(155, 'x');
    CHECK(rig.put(R"({"text":")" + text + "\"}")->answer.status == 200);
    CHECK(rig.store.replaced.back().segments == 2);
}

TEST_CASE("PUT message: what is wrong is refused by name, and nothing is stored") {
    ReplaceRig rig;
    struct Case {
        const char* body;
        int status;
        const char* detail;
    };
    for (const Case& it : {
             Case{"{}", 400, "text: missing"},
             Case{R"({"text":"a","data":"00"})", 400, "text and data: only one"},
             Case{R"({"text":""})", 400, "text: empty"},
             Case{R"({"text":"a","to":"+33612345679"})", 400, "to: can't be replaced"},
             Case{R"({"text":"a","priority":6})", 400, "priority: can't be replaced"},
             Case{R"({"text":"a","ttl_s":0})", 400, "ttl_s: "},
             Case{R"({"text":"a","note":""})", 400, "note: empty"},
         }) {
        CAPTURE(it.body);
        const auto answer = rig.put(it.body);
        CHECK(answer->answer.status == it.status);
        CHECK(answer->json().at("detail").get<std::string>().starts_with(it.detail));
    }
    CHECK(rig.done("PUT", "/v1/messages/43", R"({"text":"a"})")->answer.status == 404);
    CHECK(rig.store.replaced.empty());
    rig.store.replace_result = fail(Errc::conflict, "the message is sent");
    const auto late = rig.put(R"({"text":"a"})");
    CHECK(late->answer.status == 409);
    CHECK(late->json().at("code") == "conflict");
}

}  // namespace smsrack::test
