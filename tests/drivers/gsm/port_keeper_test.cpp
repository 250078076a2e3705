#include "drivers/gsm/port_keeper.hpp"

#include "tests/support/manual_clock.hpp"
#include "tests/support/quiet_log.hpp"
#include "tests/support/scripted_pipe.hpp"
#include "tests/support/scripted_power.hpp"

#include <doctest/doctest.h>

#include <memory>

namespace smsrack::gsm {
namespace {

using namespace std::chrono_literals;

const SteadyTime first_try{1h};

struct PortBench {
    explicit PortBench(bool has_power = false)
        : port("m0", settings, std::make_unique<test::ScriptedSource>(wire),
               has_power ? std::make_unique<test::ScriptedPower>(wire) : nullptr, reporter, log) {}

    /// The remedies up to and with the next of this kind.
    int climbs_until(Remedy remedy, int most = 8) {
        for (int climbed = 1; climbed <= most; ++climbed) {
            if (port.climb(first_try) == remedy) {
                return climbed;
            }
        }
        return 0;
    }

    const ModemSettings settings{.port = {.path = "/dev/ttyTEST"}, .power_off = 2s};
    test::Wire wire;
    test::ManualClock clock;
    test::QuietLog log;
    FlightRecorder recorder{clock, false};
    Reporter reporter{"m0", log, recorder};
    PortKeeper port;
};

}  // namespace

TEST_CASE("PortKeeper: a port is wanted where the modem has none, and only then") {
    PortBench bench;
    bench.port.plan(first_try);
    for (const ModemState state : {ModemState::opening, ModemState::absent, ModemState::failed}) {
        CHECK(bench.port.due(state) == first_try);
    }
    for (const ModemState state : {ModemState::closed, ModemState::probing, ModemState::ready,
                                   ModemState::draining, ModemState::asleep}) {
        CHECK(bench.port.due(state) == never);
    }
}

TEST_CASE("PortKeeper: what came of a try, and when the next one is") {
    PortBench bench;
    bench.wire.plugged = false;
    CHECK(bench.port.open(first_try) == Trigger::port_missing);
    const SteadyTime next = bench.port.due(ModemState::absent);
    CHECK(next > first_try);
    bench.wire.open_error = Error{.code = Errc::busy};
    CHECK(bench.port.open(next) == Trigger::port_refused);
    CHECK(bench.port.due(ModemState::opening) - next > next - first_try);  // pauses grow
    bench.port.retry_now(next);
    CHECK(bench.port.due(ModemState::opening) == next);
    bench.wire.open_error.reset();
    bench.wire.plugged = true;
    CHECK(bench.port.open(next) == Trigger::port_opened);
    CHECK(bench.port.is_open());
    CHECK(bench.port.due(ModemState::opening) == never);
}

TEST_CASE("PortKeeper: without a power line and DTR the ladder has no rung that takes the power") {
    PortBench bench;
    REQUIRE(bench.port.open(first_try) == Trigger::port_opened);
    CHECK(bench.climbs_until(Remedy::reset) == 3);
    CHECK(bench.climbs_until(Remedy::power, 20) == 0);
    CHECK(bench.port.is_open());
    CHECK(bench.port.is_out_of_service());
    CHECK(bench.wire.from_host.empty());
}

TEST_CASE(
    "PortKeeper: a power pulse closes the port, which is opened again when the power is back") {
    PortBench bench(true);
    REQUIRE(bench.port.open(first_try) == Trigger::port_opened);
    CHECK(bench.climbs_until(Remedy::power) == 4);
    CHECK_FALSE(bench.port.is_open());
    CHECK(bench.wire.from_host == "[power off]\r");
    bench.port.plan_after_remedy(first_try);
    CHECK(bench.port.due(ModemState::opening) == first_try + 2s);  // of the pulse
    bench.port.step_pulse(first_try + 2s);
    CHECK(bench.wire.from_host == "[power off]\r[power on]\r");
    CHECK(bench.port.due(ModemState::opening) > first_try + 2s);
    CHECK(bench.port.pulse_due() == never);
}

TEST_CASE(
    "PortKeeper: an answered submit begins the ladder again, being ready alone does not after many "
    "stumbles") {
    PortBench bench;
    REQUIRE(bench.climbs_until(Remedy::reset) == 3);
    bench.port.modem_ready();
    CHECK(bench.climbs_until(Remedy::reset) == 3);
    CHECK_FALSE(bench.port.stumbles_on(first_try));
    CHECK_FALSE(bench.port.stumbles_on(first_try));
    CHECK(bench.port.stumbles_on(first_try));
    bench.port.modem_ready();
    CHECK(bench.climbs_until(Remedy::reset) != 3);
    bench.port.submit_answered();
    CHECK(bench.climbs_until(Remedy::reset) == 3);
}

}  // namespace smsrack::gsm
