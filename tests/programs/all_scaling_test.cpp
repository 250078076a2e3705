// Longer days than scaling_test has time for, one with a kill at noon and one with an upgrade.
#include "tests/programs/support/scaling_day.hpp"

#include <doctest/doctest.h>

#include <chrono>

namespace smsrack::test {

using namespace std::chrono_literals;

TEST_CASE("scaling: three days, with a kill at one noon and an upgrade at the other") {
    ScalingDay day({.length = 120s, .samples = 20, .period = 500ms});
    CHECK(day.night());
    day.day();
    CHECK(day.night());
    day.day([](Rack& rack) {
        rack.kill_service();
        rack.start_service();
    });
    CHECK(day.night());
    day.day([](Rack& rack) {
        const Finished done = rack.command({"--json", "upgrade", program("smsrackd")});
        REQUIRE(done.ending == Ending{0, 0});
        const auto pid = wire::parse_json(done.output).value().at("pid").get<pid_t>();
        CHECK(rack.follow_service(pid) == Ending{0, 0});
    });
    CHECK(day.night());
    day.check_messages();
    day.check_lines_follow_load();
    day.check_decisions();
}

}  // namespace smsrack::test
