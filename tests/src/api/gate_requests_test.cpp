#include "src/api/webhooks/gate_requests.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;

TEST_CASE(
    "gate requests: a long answer is cut between characters, and loses no more than it must") {
    const auto kept = [](const std::string& answer) {
        const auto request = api::results_request(
            R"({"results":[{"event":"7","attempt":1,"at":"2026-01-01T00:00:00Z","status":500,)"
            R"("answer":")" +
            answer + "\"}]}");
        REQUIRE(request);
        REQUIRE(request->results.size() == 1);
        return request->results[0].attempt.answer;
    };
    CHECK(kept(std::string(250, 'x')) == std::string(200, 'x'));
    std::string accents;
    for (int i = 0; i < 120; ++i) {
        accents += "\xC3\xA9";
    }
    CHECK(kept(accents) == accents.substr(0, 200));
    CHECK(kept("x" + accents) == "x" + accents.substr(0, 198));
}
