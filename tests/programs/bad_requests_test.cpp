// What a client may get wrong: each a clear answer, and the service continues.
#include "tests/support/rack.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <fmt/format.h>
#include <string>
#include <vector>

namespace smsrack::test {

using namespace std::chrono_literals;

namespace {

/// The service still takes and sends a message.
void check_goes_on(const Rack& rack, const std::string& to) {
    CHECK(rack.reaches(rack.submit({{"to", to}, {"text", "still there"}}), "delivered"));
}

}  // namespace

TEST_CASE("a message that can't be sent is refused with a code and a sentence") {
    const Rack rack({.modems = 1, .config = "[queue]\nsegments_max = 3\n"});
    struct Case {
        const char* what;
        std::string body;
        const char* code;
    };
    for (const Case& bad : std::vector<Case>{
             {"letters for a number", R"({"to":"+33abc","text":"x"})", "bad_number"},
             {"an empty number", R"({"to":"","text":"x"})", "bad_number"},
             {"a number that is too long", R"({"to":"+1234567890123456789012","text":"x"})",
              "bad_number"},
             {"no number", R"({"text":"x"})", "bad_request"},
             {"an empty text", R"({"to":"+33600000030","text":""})", "bad_request"},
             {"no text", R"({"to":"+33600000030"})", "bad_request"},
             {"a text of the wrong type", R"({"to":"+33600000030","text":7})", "bad_request"},
             {"an unknown field", R"({"to":"+33600000030","text":"x","txet":"y"})", "bad_request"},
             {"a level that is not there", R"({"to":"+33600000030","text":"x","priority":7})",
              "bad_request"},
             {"too many segments",
              fmt::format(R"({{"to":"+33600000030","text":"{}"}})", std::string(600, 'a')),
              "too_long"},
             {"broken JSON", R"({"to":"+33600000030","text":)", "bad_request"},
         }) {
        CAPTURE(bad.what);
        const auto answer = rack.http("POST", "/v1/messages", bad.body);
        CHECK(answer.status == 400);
        CHECK(answer.head.contains("application/problem+json"));
        CHECK(answer.json().value("code", "") == bad.code);
        CHECK_FALSE(answer.json().value("detail", "").empty());
    }
    const auto broken =
        rack.http("POST", "/v1/messages", "{\"to\":\"+33600000030\",\"text\":\"\xff\xfe\"}");
    CHECK(broken.status == 400);
    CHECK(broken.json().value("code", "").starts_with("bad_"));
    CHECK(rack.submits().empty());
    check_goes_on(rack, "+33600000031");
}

TEST_CASE("a bad line of NDJSON hurts no other") {
    const Rack rack({.modems = 1});
    const auto answer = rack.http("POST", "/v1/messages",
                                  "{\"to\":\"+33600000032\",\"text\":\"a\"}\n"
                                  "{\"to\":\"nobody\",\"text\":\"b\"}\n"
                                  "not json\n"
                                  "{\"to\":\"+33600000033\",\"text\":\"d\"}\n",
                                  "Content-Type: application/x-ndjson\r\n");
    REQUIRE(answer.status == 200);
    std::vector<bool> accepted;
    std::size_t from = 0;
    for (std::size_t end = answer.body.find('\n'); end != std::string::npos;
         end = answer.body.find('\n', from)) {
        accepted.push_back(!answer.body.substr(from, end - from).contains("\"error\""));
        from = end + 1;
    }
    CHECK(accepted == std::vector<bool>{true, false, false, true});
    CHECK(wait_for(20s, [&] { return rack.states()["delivered"] == 2; }));
}

TEST_CASE("a body of 5 MiB is refused with 413") {
    const Rack rack({.modems = 1});
    const std::string body =
        R"({"to":"+33600000034","text":")" + std::string(5'242'880, 'a') + "\"}";
    CHECK(rack.http("POST", "/v1/messages", body).status == 413);
    check_goes_on(rack, "+33600000034");
}

TEST_CASE("half a request accepts nothing and delays no other client") {
    const Rack rack({.modems = 1});
    const std::string whole =
        http_request("POST", "/v1/messages", R"({"to":"+33600000035","text":"half"})", "");
    const UnixStream open(rack.socket());
    CHECK(open.send(whole.substr(0, whole.size() - 5)));
    {
        const UnixStream left(rack.socket());
        CHECK(left.send(whole.substr(0, 40)));
    }
    check_goes_on(rack, "+33600000036");
    CHECK(rack.submits_to("+33600000035").empty());
}

TEST_CASE("a client that never reads is stopped, and the others are served") {
    const Rack rack({.modems = 1});
    const UnixStream deaf(rack.socket());
    const std::string request = "GET /v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n";
    constexpr std::size_t far_more_than_buffers = 64UL << 20U;
    std::size_t sent = 0;
    for (std::size_t more = 1; more != 0 && sent < far_more_than_buffers; sent += more) {
        std::string many;
        for (int n = 0; n < 1000; ++n) {
            many += request;
        }
        more = deaf.send_some(many, 500ms) < many.size() ? 0 : many.size();
    }
    CHECK(sent < far_more_than_buffers);
    check_goes_on(rack, "+33600000037");
}

TEST_CASE("octets that are not HTTP are refused") {
    const Rack rack({.modems = 1});
    for (const char* octets :
         {"AT+CMGS=\"+33\"\r\r\n\r\n", "\x16\x03\x01\x02", "GET / HTTP/9.9\r\n\r\n",
          "POST /v1/messages HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: "
          "chunked\r\n\r\n0\r\n\r\n",
          "GET /v1/status HTTP/1.1\r\nHost: x\r\n\rX"}) {
        CAPTURE(octets);
        const UnixStream stream(rack.socket());
        CHECK(stream.send(octets));
        stream.end_sending();
        const std::string answer = stream.receive_all();
        CHECK_FALSE(answer.contains(" 200 "));
        CHECK_FALSE(answer.contains(" 202 "));
    }
    check_goes_on(rack, "+33600000038");
}

TEST_CASE("what is not there answers 404, what later issues bring too") {
    const Rack rack({.modems = 1});
    for (const char* target : {"/v1/nothing", "/v1/messages/999999999", "/v1/messages/x",
                               "/v1/modems/m9", "/v1/triggers/welcome", "/../etc/passwd"}) {
        CAPTURE(target);
        CHECK(rack.http("GET", target).status == 404);
    }
}

}  // namespace smsrack::test
