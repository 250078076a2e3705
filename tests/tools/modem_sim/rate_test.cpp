#include "tests/tools/modem_sim/rig.hpp"
#include "tools/modem_model/wired_modem.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace smsrack;
using namespace std::chrono_literals;
using modem_sim::FaultKind;

namespace {

/// A modem behind its wire, and a host with a port of its own rate.
struct RateBench {
    explicit RateBench(unsigned baud = 115'200, modem_sim::ModemSettings settings = {})
        : modem(with_identity(settings), baud, random, journal) {
        (void)say("ATE0");
    }
    static modem_sim::ModemSettings with_identity(modem_sim::ModemSettings settings) {
        settings.identity = modem_sim::make_identity(0);
        return settings;
    }
    /// All that comes within `time` after this command line.
    std::string say(std::string_view command, std::chrono::milliseconds time = 100ms) {
        modem.host_wrote(now, std::string(command) + "\r");
        return hear(time);
    }
    std::string hear(std::chrono::milliseconds time) {
        std::string got;
        for (const SteadyTime end = now + time; now < end;) {
            now = std::min(std::max(modem.step(now), now), end);
            (void)modem.step(now);
            for (std::string more = modem.take_received(now); !more.empty();
                 more = modem.take_received(now)) {
                got += more;
            }
        }
        return got;
    }

    SteadyTime now = SteadyTime{} + 1h;
    modem_sim::SplitMix random{1};
    test::RememberingJournal journal;
    modem_sim::WiredModem modem;
};

constexpr auto ok = "\r\nOK\r\n";

}  // namespace

TEST_CASE("AT+IPR is answered at the rate before, and then only the new rate is understood") {
    RateBench bench;
    bench.modem.host_baud(115'200);
    CHECK(bench.say("AT+IPR=?") ==
          "\r\n+IPR: (0,2400,4800,9600,19200,38400,57600),(115200,230400)\r\n\r\nOK\r\n");
    CHECK(bench.say("AT+IPR=230400") == ok);
    CHECK(bench.say("AT").empty());
    bench.modem.host_baud(230'400);
    CHECK(bench.say("AT") == ok);
    CHECK(bench.say("AT+IPR?") == "\r\n+IPR: 230400\r\n\r\nOK\r\n");
}

TEST_CASE(
    "What a modem says at another rate than the host's has other octets, and another number") {
    struct Case {
        unsigned modem;
        unsigned host;
        std::string_view heard;
    };
    constexpr std::string_view twice(
        "\xe6\x80\x98\x80\x18\x99\x86\x98\xf8\x98~\x98\xe6\x80\x98\x80", 16);
    for (const Case& row : {Case{230'400, 115'200, "\t\x9e\xbd\t"}, Case{115'200, 230'400, twice},
                            Case{115'200, 115'200, "\r\nRING\r\n"}}) {
        CAPTURE(row.modem);
        CAPTURE(row.host);
        RateBench bench;
        (void)bench.say("AT+IPR=" + std::to_string(row.modem));
        bench.modem.host_baud(row.host);
        bench.modem.inject(bench.now, {.kind = FaultKind::ring, .count = 1});
        CHECK(bench.hear(100ms) == row.heard);
    }
}

TEST_CASE("A rate that AT+IPR=? does not list is refused, and a modem may not know the command") {
    RateBench bench(9'600, {.max_baud = 115'200});
    (void)bench.say("AT+CMEE=1");
    CHECK(bench.say("AT+IPR=230400") == "\r\n+CME ERROR: 3\r\n");
    CHECK(bench.say("AT+IPR=14401") == "\r\n+CME ERROR: 3\r\n");
    CHECK(bench.say("AT+IPR?") == "\r\n+IPR: 9600\r\n\r\nOK\r\n");
    CHECK(RateBench(115'200, {.max_baud = 0}).say("AT+IPR=?") == "\r\nERROR\r\n");
}

TEST_CASE("A restart brings the first rate back, unless AT&W kept another one") {
    for (const bool kept : {false, true}) {
        CAPTURE(kept);
        RateBench bench;
        (void)bench.say("AT+WIND=4");
        (void)bench.say("AT+IPR=230400");
        bench.modem.host_baud(230'400);
        if (kept) {
            CHECK(bench.say("AT&W") == ok);
        }
        bench.modem.inject(bench.now, {.kind = FaultKind::reboot});
        CHECK(bench.hear(3s).contains("+WIND: 3") == kept);
        bench.modem.host_baud(kept ? 230'400 : 115'200);
        CHECK(bench.say("AT").ends_with(ok));
    }
}

TEST_CASE("Octets take their time at the rate of the moment") {
    RateBench bench;
    (void)bench.say("AT+IPR=230400");
    bench.modem.host_baud(0);
    const auto time_of = [&bench] {
        const SteadyTime begin = bench.now;
        bench.modem.host_wrote(bench.now, "AT+CGMR\r");
        SteadyTime last = begin;
        while (bench.modem.step(bench.now) != never && bench.now < begin + 1s) {
            bench.now = std::max(bench.now, bench.modem.step(bench.now));
            (void)bench.modem.step(bench.now);
            last = bench.modem.take_received(bench.now).empty() ? last : bench.now;
        }
        return last - begin;
    };
    const auto fast = time_of();
    (void)bench.say("AT+IPR=115200");
    const auto slow = time_of();
    CHECK(slow > 1.9 * fast);
    CHECK(slow < 2.1 * fast);
}

TEST_CASE("rate_ignored: OK, and the rate stays") {
    RateBench bench;
    bench.modem.host_baud(115'200);
    bench.modem.inject(bench.now, {.kind = FaultKind::rate_ignored});
    CHECK(bench.say("AT+IPR=230400") == ok);
    CHECK(bench.say("AT") == ok);
    CHECK(bench.say("AT+IPR=230400") == ok);
    CHECK(bench.say("AT").empty());
}

TEST_CASE("rate_lossy: octets are lost above this rate only, until rate_clean") {
    RateBench bench;
    const auto whole_of_100 = [&bench] {
        int whole = 0;
        for (int i = 0; i < 100; ++i) {
            whole += bench.say("AT+CGMR").ends_with("17:16\r\n\r\nOK\r\n") ? 1 : 0;
        }
        return whole;
    };
    bench.modem.inject(bench.now, {.kind = FaultKind::rate_lossy, .code = 115'200});
    CHECK(whole_of_100() == 100);
    (void)bench.say("AT+IPR=230400");
    const int whole = whole_of_100();
    CHECK(whole < 80);
    CHECK(whole > 5);
    bench.modem.inject(bench.now, {.kind = FaultKind::rate_clean});
    CHECK(whole_of_100() == 100);
}
