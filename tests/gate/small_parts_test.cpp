#include "firmware-host/gate/gate_metrics.hpp"
#include "firmware-host/gate/service_request.hpp"
#include "firmware-host/gate/smpp/service_presence.hpp"
#include "firmware-host/gate/wrong_tokens.hpp"
#include "src/wire/json.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <string>

using namespace smsrack;
using namespace smsrack::gate;
using namespace std::chrono_literals;

TEST_CASE("ServicePresence: patient for 30 seconds, from the first time that it was not there") {
    ServicePresence presence;
    const SteadyTime begin{1h};
    CHECK_FALSE(presence.is_long_away(begin));
    presence.note(false, begin);
    presence.note(false, begin + 20s);
    CHECK_FALSE(presence.is_long_away(begin + 30s - 1ms));
    CHECK(presence.is_long_away(begin + 30s));
    presence.note(true, begin + 31s);
    CHECK_FALSE(presence.is_long_away(begin + 1h));
    presence.note(false, begin + 1h);
    CHECK_FALSE(presence.is_long_away(begin + 1h + 29s));
}

TEST_CASE("route_of: names nothing that a path names") {
    struct Case {
        const char* path;
        const char* route;
    };
    for (const Case& it :
         {Case{"/v1/messages/4711", "/v1/messages/{}"},
          Case{"/v1/messages/4711/explain", "/v1/messages/{}/explain"},
          Case{"/v1/optouts/+33612345678", "/v1/optouts/{}"}, Case{"/", "/"},
          Case{"/metrics", "/metrics"}, Case{"/a/b/c/d/e/f/g", "/{}/{}/{}/{}/{}"}, Case{"*", ""}}) {
        CAPTURE(it.path);
        CHECK(route_of(it.path) == it.route);
    }
}

TEST_CASE("route_of: knows the words of all calls") {
    std::ifstream file(std::string(SMSRACK_SOURCE_DIR) + "/src/api/openapi.json");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto described = wire::parse_json(text);
    REQUIRE(described);
    for (const auto& [path, calls] : described->at("paths").items()) {
        CAPTURE(path);
        std::string route = path;  // with the names of its parts taken out
        for (std::size_t at = route.find('{'); at != std::string::npos;
             at = route.find('{', at + 1)) {
            route.erase(at + 1, route.find('}', at) - at - 1);
        }
        CHECK(route_of(path) == route);
    }
}

TEST_CASE("GateMetrics: counts by route and status, up to a bound") {
    GateMetrics metrics;
    metrics.handshake(true);
    metrics.handshake(false);
    metrics.refused_token();
    metrics.request("/v1/messages", 202);
    metrics.request("/v1/messages", 202);
    metrics.service_took(250ms);
    const std::string text = metrics.text(3);
    for (const char* line :
         {"smsrack_gate_connections 3\n", "smsrack_gate_handshakes_total{result=\"ok\"} 1\n",
          "smsrack_gate_handshakes_total{result=\"failed\"} 1\n",
          "smsrack_gate_refused_tokens_total 1\n",
          "smsrack_gate_requests_total{route=\"/v1/messages\",status=\"202\"} 2\n",
          "smsrack_gate_service_seconds_sum 0.250000\n",
          "smsrack_gate_service_seconds_count 1\n"}) {
        CAPTURE(line);
        CHECK(text.contains(line));
    }
    for (int i = 0; i < 2'000; ++i) {
        metrics.request("/r" + std::to_string(i), 200);
    }
    CHECK(metrics.text(0).size() < 64UL * 1024);
    CHECK(metrics.text(0).contains("route=\"other\""));
}

TEST_CASE("WrongTokens: an address that shows many waits for a minute, others don't") {
    WrongTokens wrong;
    const SteadyTime begin{1h};
    for (int i = 0; i < WrongTokens::wrong_max; ++i) {
        CHECK_FALSE(wrong.add(1, begin + i * 1s));
    }
    CHECK_FALSE(wrong.wait_of(1, begin + 10s));
    CHECK(wrong.add(1, begin + 11s));  // told once
    CHECK_FALSE(wrong.add(1, begin + 12s));
    CHECK(wrong.wait_of(1, begin + 20s) == 40s);
    CHECK_FALSE(wrong.wait_of(2, begin + 20s));
    CHECK_FALSE(wrong.wait_of(1, begin + 60s));
    CHECK_FALSE(wrong.add(1, begin + 61s));
    CHECK_FALSE(wrong.wait_of(1, begin + 61s));
    for (std::uint32_t network = 10; network < 20'000; ++network) {
        (void)wrong.add(network, begin + 62s);  // more than are kept: none of it fails
    }
}

TEST_CASE("service_request: what the service may know, escaped again, with the token's hash") {
    wire::HttpRequest request{.method = "GET", .path = "/v1/optouts/+33 6\r\n"};
    request.params = {{"to", "+336&x=y"}, {"state", "sent"}};
    request.headers = {{"host", "box"},
                       {"accept", "application/json"},
                       {"authorization", "Bearer smsrack_secret"},
                       {"smsrack-token", "of-another"},
                       {"x-forwarded-for", "192.0.2.1"}};
    const std::string text = service_request(request, "abc").with({});
    CHECK(text ==
          "GET /v1/optouts/%2B33%206%0D%0A?to=%2B336%26x%3Dy&state=sent HTTP/1.1\r\n"
          "Host: smsrack\r\naccept: application/json\r\nsmsrack-token: abc\r\n\r\n");
    request.method = "HEAD";
    CHECK(service_request(request, "-").with({}).starts_with("GET "));
    request.method = "POST";
    CHECK(service_request(request, "-").with("{}").ends_with("Content-Length: 2\r\n\r\n{}"));
    CHECK(service_request(request, "-")
              .with_chunks()
              .ends_with("Transfer-Encoding: chunked\r\n\r\n"));
}

TEST_CASE("client_response: what the service says of its answer, but not how that came") {
    const auto response = client_response(503, {{"content-type", "application/problem+json"},
                                                {"retry-after", "5"},
                                                {"content-length", "7"},
                                                {"connection", "close"},
                                                {"smsrack-place", "9"},
                                                {"www-authenticate", "Bearer"}});
    CHECK(response.status == 503);
    CHECK(response.content_type == "application/problem+json");
    REQUIRE(response.headers.size() == 3);
    CHECK(response.headers[0].name == "Retry-After");
    CHECK(response.headers[1].name == "Smsrack-Place");  // by which a page finds another database
    CHECK(response.headers[2].name == "WWW-Authenticate");
}

TEST_CASE("wants_ref: a message that has no ref of its own") {
    wire::HttpRequest request{.method = "POST", .path = "/v1/messages"};
    request.body = R"({"to":"+33612345678","text":"x"})";
    CHECK(wants_ref(request));
    request.body = R"({"to":"+33612345678","text":"x","ref":"mine"})";
    CHECK_FALSE(wants_ref(request));
    request.body = R"({"to":"+33612345678","text":"x","r\u0065f":"mine"})";
    CHECK_FALSE(wants_ref(request));
    request.body = R"({"to":"+33612345678","text":"a \"ref\" \u0065"})";
    CHECK(wants_ref(request));
    request.body = R"(["ref"])";
    CHECK_FALSE(wants_ref(request));
    request.body = "{}";
    request.headers = {{"idempotency-key", "mine"}};
    CHECK_FALSE(wants_ref(request));
    request.headers = {};
    request.path = "/v1/preview";
    CHECK_FALSE(wants_ref(request));
}
