#include "drivers/gsm/set_up/port_rate.hpp"

#include "tests/support/manual_clock.hpp"
#include "tests/support/quiet_log.hpp"
#include "tests/support/scripted_pipe.hpp"

#include <doctest/doctest.h>

namespace smsrack::gsm {
namespace {

using namespace std::chrono_literals;

class Deaf final : public at::AtListener {
    void on_prompt() override {}
    void on_line(at::LineKind, std::string_view) override {}
    void on_final(at::FinalResult) override {}
    void on_urc(std::string_view, std::string_view) override {}
    void on_stray_final(at::FinalResult) override {}
};

/// A port that is open at 115200 baud.
struct RateBench {
    explicit RateBench(std::uint32_t fast_baud = 230'400)
        : settings{.port = {.path = "/dev/ttyTEST"}, .fast_baud = fast_baud} {
        channel.attach(&pipe);
    }

    const ModemSettings settings;
    test::Wire wire;
    test::ScriptedPipe pipe{wire};
    test::ManualClock clock;
    test::QuietLog log;
    FlightRecorder recorder{clock, false};
    Reporter reporter{"m0", log, recorder};
    Deaf deaf;
    at::AtChannel channel{{}, deaf, 0ms};
    PortRate rate{channel, settings, reporter};
    const SteadyTime now{1h};
};

}  // namespace

TEST_CASE("lists_rate: a rate is in any list of AT+IPR=?, as a whole number") {
    struct Case {
        std::string_view line;
        bool is_listed;
    };
    for (const Case& c : {
             Case{"+IPR: (0,2400,4800,9600,19200,38400,57600),(115200,230400)", true},
             Case{"+IPR: (0,9600,230400),(115200)", true},
             Case{"+IPR: 230400", true},
             Case{"+IPR: (115200)", false},
             Case{"+IPR: (0,2304000)", false},
             Case{"+IPR: (0,1230400)", false},
             Case{"+IPR: ", false},
             Case{"", false},
         }) {
        CAPTURE(c.line);
        CHECK(lists_rate(c.line, 230'400) == c.is_listed);
    }
}

TEST_CASE("PortRate: without a faster rate nothing is changed or looked for") {
    for (const std::uint32_t none : {0U, 115'200U}) {
        RateBench bench(none);
        CHECK_FALSE(bench.rate.is_wanted());
        CHECK_FALSE(bench.rate.is_fast());
        CHECK_FALSE(bench.rate.flip());
        CHECK_FALSE(bench.rate.to_fast());
        CHECK(bench.wire.from_host.empty());
    }
}

TEST_CASE("PortRate: a flip goes to the other rate, if the port has it") {
    RateBench bench;
    CHECK(bench.rate.flip());
    CHECK(bench.rate.is_fast());
    CHECK(bench.rate.flip());
    CHECK(bench.wire.baud == 115'200);
    bench.wire.baud_max = 115'200;
    CHECK_FALSE(bench.rate.flip());
    CHECK_FALSE(bench.rate.is_fast());
}

TEST_CASE(
    "PortRate: faults at the faster rate within an hour end it until the operator's restart") {
    struct Case {
        RateFault fault;
        int needed;
    };
    for (const Case& c : {Case{RateFault::torn_answer, 3}, Case{RateFault::no_answer, 2},
                          Case{RateFault::failed_set_up, 1}}) {
        CAPTURE(static_cast<int>(c.fault));
        RateBench bench;
        REQUIRE(bench.rate.to_fast());
        for (int i = 1; i < c.needed; ++i) {
            CHECK_FALSE(bench.rate.count(c.fault, bench.now));
            CHECK(bench.rate.is_wanted());
        }
        CHECK(bench.rate.count(c.fault, bench.now + 59min));
        CHECK_FALSE(bench.rate.is_wanted());
        bench.rate.trust_again();
        CHECK(bench.rate.is_wanted());
        CHECK(bench.rate.count(c.fault, bench.now) == (c.needed == 1));
    }
}

TEST_CASE(
    "PortRate: faults an hour apart, or at the first rate, are no sign against the faster one") {
    RateBench bench;
    for (int i = 0; i < 10; ++i) {
        CHECK_FALSE(bench.rate.count(RateFault::failed_set_up, bench.now));
    }
    REQUIRE(bench.rate.to_fast());
    for (int i = 0; i < 10; ++i) {
        CHECK_FALSE(bench.rate.count(RateFault::no_answer, bench.now + i * 60min));
    }
    CHECK(bench.rate.is_wanted());
}

}  // namespace smsrack::gsm
