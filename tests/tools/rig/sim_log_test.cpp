#include "tools/rig/sim_log.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

const std::string start_line =
    R"({"t":0.000000,"wall":1790000000000,"event":"start","steady_us":5000000})"
    "\n";

SteadyTime at(std::chrono::milliseconds time) {
    return SteadyTime(time);
}

rig::SimSubmit submit(unsigned modem, std::chrono::milliseconds time) {
    return {.at = at(time), .modem = modem};
}

}  // namespace

TEST_CASE("simulator's log: times are those of the monotonic clock") {
    const auto log = rig::parse_sim_log(
        start_line +
        R"({"t":1.500000,"wall":1,"event":"submit","modem":3,"pdu":"00AABB","mr":7,"to":"+336","service_us":500,"command_gap_us":40,"answer_late_us":6,"entry_gap_us":50,"prompt_late_us":7})"
        "\n"
        R"({"t":2.0,"wall":1,"event":"inbound","modem":1,"how":"stored","id":9,"segment":1,"segments":1,"from":"+33","text":"x"})"
        "\n"
        R"({"t":2.5,"wall":1,"event":"fault","modem":1,"fault":"hang"})"
        "\n");
    REQUIRE(log);
    REQUIRE(log->submits.size() == 1);
    const rig::SimSubmit& submit = log->submits[0];
    CHECK(submit.at == at(6500ms));
    CHECK(submit.modem == 3);
    CHECK(submit.to == "+336");
    CHECK(submit.pdu_octets == 3);
    CHECK(submit.service == 500us);
    CHECK(submit.command_gap == 40us);
    CHECK(submit.answer_late == 6us);
    CHECK(submit.entry_gap == 50us);
    CHECK(submit.prompt_late == 7us);
    REQUIRE(log->received.size() == 1);
    CHECK(log->received[0].at == at(7000ms));
    CHECK(log->received[0].id == 9);
    CHECK(log->faults == std::map<std::string, unsigned>{{"hang", 1}});
}

TEST_CASE("simulator's log: a last line that is not whole does not count, a wrong one is named") {
    CHECK(rig::parse_sim_log(start_line + R"({"t":1.5,"ev)")->submits.empty());
    CHECK(rig::parse_sim_log("")->submits.empty());
    const auto broken = rig::parse_sim_log(start_line + "no JSON\n");
    REQUIRE_FALSE(broken);
    CHECK(broken.error().context.contains("line 2"));
    CHECK_FALSE(rig::parse_sim_log(start_line + R"({"t":1.5,"event":"submit"})"
                                                "\n"));
}

TEST_CASE("steady rate: each modem counts from its first to its last within the window") {
    const std::vector<rig::SimSubmit> submits{
        submit(0, 10ms),  // before the window
        submit(0, 1000ms), submit(1, 1400ms), submit(0, 1500ms),
        submit(0, 2000ms), submit(1, 1900ms),  // modem 0: 2 in 1 s; modem 1: 1 in 0.5 s
        submit(2, 1500ms),                     // one alone says nothing
        submit(0, 9000ms),                     // behind it
    };
    CHECK(rig::steady_rate(submits, at(1000ms), at(3000ms)) == doctest::Approx(4));
    CHECK(rig::steady_rate({}, at(0ms), at(1000ms)) == 0);
}

TEST_CASE("line rates: each modem's own, whatever the window cuts, and a standstill shows") {
    std::vector<rig::SimSubmit> submits;
    for (int i = 0; i < 40; ++i) {
        submits.push_back(submit(0, i * 500ms + 130ms));
        submits.push_back(submit(1, i * 500ms + (i < 20 ? 0ms : 5'000ms)));  // 5 s without one
        submits.push_back(submit(2, i * 250ms));                             // the last at 9.75 s
    }
    const auto calm = rig::line_rates(submits, at(1'000ms), at(9'000ms));
    CHECK(calm.at(0) == doctest::Approx(2));
    CHECK(calm.at(1) == doctest::Approx(2));
    CHECK(calm.at(2) == doctest::Approx(4));
    const auto rough = rig::line_rates(submits, at(9'500ms), at(14'500ms));
    CHECK(rough.at(0) == doctest::Approx(2));
    CHECK(rough.at(1) == doctest::Approx((5.0 / 5.5) / 5));
    CHECK(rough.at(2) == doctest::Approx(1.0 / 5));
    CHECK(rig::line_rates({}, at(0ms), at(1'000ms)).empty());
}
