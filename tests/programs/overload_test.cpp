// Overload protection of the running service: 503, its words, exit status 75, and what the same message is answered later.
#include "tests/support/rack.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <fmt/format.h>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

namespace smsrack::test {

namespace {

constexpr int exit_later = 75;

/// One modem of 300 ms, and 3 s for each level: ten messages at the most.
RackPlan slow_rack() {
    return {.modems = 1,
            .sim_options = {"--service-ms", "300", "--report-ms", "20"},
            .config = "[priority]\nsla_ms = [3000, 3000, 3000, 3000, 3000, 3000, 3000]\n"};
}

Finished smsrack(const Rack& rack, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {program("smsrack"), "--socket", rack.socket()});
    return run({.words = std::move(arguments)});
}

wire::Json message(int n) {
    return {{"to", fmt::format("+336000002{:02}", n)}, {"text", "a"}, {"report", false}};
}

/// Submits until one is refused; that answer, and how many were accepted.
HttpAnswer fill(const Rack& rack, int& next) {
    while (true) {
        REQUIRE(next < 99);
        HttpAnswer answer = rack.http("POST", "/v1/messages", message(next++).dump());
        if (answer.status == 503) {
            return answer;
        }
        REQUIRE(answer.status == 202);
    }
}

}  // namespace

TEST_CASE("a flooded box says when to come back, and the same message is accepted then") {
    const Rack rack(slow_rack());
    REQUIRE(rack.reaches(rack.submit(message(0)), "sent"));
    int next = 1;
    const HttpAnswer refused = fill(rack, next);
    const auto problem = refused.json();
    CHECK(problem.at("code") == "overloaded");
    CHECK(problem.at("detail").get<std::string>().contains("group default, level 3"));
    const auto seconds = problem.at("retry_after_s").get<int>();
    CHECK(refused.head.contains(fmt::format("Retry-After: {}\r\n", seconds)));
    REQUIRE(seconds >= 1);
    REQUIRE(seconds < 20);
    // The time that the service itself named; nothing else is waited for.
    std::this_thread::sleep_for(std::chrono::seconds(seconds));
    const HttpAnswer accepted = rack.http("POST", "/v1/messages", message(next - 1).dump());
    CHECK(accepted.status == 202);
    CHECK(accepted.json().contains("expected_at"));
    CHECK(rack.get("/v1/status").at("groups").at(0).at("name") == "default");
}

TEST_CASE("smsrack ends with 75 and says in how many seconds to try again") {
    const Rack rack(slow_rack());
    int next = 1;
    (void)fill(rack, next);
    const auto sent = smsrack(rack, {"send", "--to", "+33600000199", "one more"});
    CAPTURE(sent.output);
    CHECK(sent.ending.code == exit_later);
    CHECK(sent.output.contains("overloaded"));
    CHECK(sent.output.contains("try again in "));

    const auto file = rack.folder() / "many.csv";
    {
        std::ofstream out(file);
        out << "to,text\n";
        for (int n = 0; n < 30; ++n) {
            out << fmt::format("+336000003{:02},x\n", n);
        }
    }
    const auto many = smsrack(rack, {"send", "--file", file});
    CAPTURE(many.output);
    CHECK(many.ending.code == exit_later);
    CHECK(many.output.contains("send them again in "));
    // Lines are counted again every 100 ms.
    CHECK(wait_for(
        5s, [&] { return smsrack(rack, {"status"}).output.contains("1 of 1 modems can send"); }));
}

}  // namespace smsrack::test
