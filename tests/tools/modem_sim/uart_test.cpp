#include "tools/modem_model/uart.hpp"

#include "tests/tools/modem_sim/rig.hpp"
#include "tools/modem_model/wired_modem.hpp"

#include <doctest/doctest.h>

#include <fmt/format.h>
#include <string>

using namespace smsrack;
using namespace std::chrono_literals;
using modem_sim::UartLane;

namespace {

constexpr SteadyTime start = SteadyTime{} + 1h;

/// A modem behind its wire, and a host that looks whenever something may have come.
struct Bench {
    explicit Bench(unsigned baud, modem_sim::ModemSettings settings = {})
        : modem(with_identity(settings), baud, random, journal) {
        write("ATE0\r");
        (void)read_until("OK\r\n");
    }
    static modem_sim::ModemSettings with_identity(modem_sim::ModemSettings settings) {
        settings.identity = modem_sim::make_identity(0);
        return settings;
    }
    void write(std::string_view octets) { modem.host_wrote(now, octets); }
    /// What came, up to `end`; the clock is at its last octet. A wake-up may be `late`.
    std::string read_until(std::string_view end, std::chrono::microseconds late = 0us) {
        std::string got;
        while (!got.ends_with(end)) {
            const SteadyTime due = modem.step(now);
            REQUIRE(due != never);
            now = std::max(now, due);
            (void)modem.step(now + late);
            const std::string octets = modem.take_received(now + late);
            got += octets;
            arrived = octets.empty() ? arrived : now;
        }
        return got;
    }

    SteadyTime now = start;
    SteadyTime arrived = start;
    modem_sim::SplitMix random{1};
    test::RememberingJournal journal;
    modem_sim::WiredModem modem;
};

}  // namespace

TEST_CASE("n octets need n * 10 / baud seconds, without an error that grows") {
    struct Case {
        unsigned baud;
        std::uint64_t chunks;
        std::size_t size;
    };
    for (const Case& c : {Case{115200, 1, 11}, Case{115200, 100'000, 1}, Case{115200, 1000, 137},
                          Case{9600, 3, 352}, Case{57600, 7777, 3}, Case{0, 100, 100}}) {
        CAPTURE(c.baud);
        CAPTURE(c.chunks);
        UartLane lane(c.baud);
        SteadyTime last{};
        for (std::uint64_t i = 0; i < c.chunks; ++i) {
            lane.send(start, std::string(c.size, 'x'));
        }
        while (lane.waiting() > 0) {
            last = lane.take().due;
        }
        const double expected =
            c.baud == 0 ? 0 : static_cast<double>(c.chunks * c.size) * 10.0 / c.baud;
        CHECK(std::chrono::duration<double>(last - start).count() ==
              doctest::Approx(expected).epsilon(1e-9));
    }
}

TEST_CASE("an octet after a pause starts again, one without waits for those before") {
    UartLane lane(115200);
    lane.send(start, "0123456789");
    lane.send(start + 100us, "x");  // the first ten need 868 us
    lane.send(start + 5ms, "y");
    CHECK(lane.take().due - start == 868055ns);
    CHECK(lane.take().due - start == 954861ns);
    CHECK(lane.take().due - start == 5ms + 86805ns);
    CHECK(lane.due() == never);
}

TEST_CASE("a submit takes its octets and its service time, not a microsecond more") {
    Bench bench(115200, {.service = {.mean = 20ms}, .report_delay = std::nullopt});
    const SteadyTime begun = bench.now;
    bench.write("AT+CMGS=22\r");
    REQUIRE(bench.read_until("> ") == "\r\n> ");
    CHECK(bench.arrived - begun <=
          std::chrono::ceil<std::chrono::microseconds>(15 * 10s / 115200.));
    CHECK(bench.arrived - begun >=
          std::chrono::floor<std::chrono::microseconds>(15 * 10s / 115200.));
    bench.write(std::string(test::Rig::sample_pdu) + "\x1A");
    const std::string answer = bench.read_until("OK\r\n");
    const auto octets = static_cast<double>(15 + 47 + answer.size());
    const auto whole = std::chrono::duration<double>(bench.arrived - begun).count();
    CHECK(whole == doctest::Approx(0.020 + octets * 10 / 115200).epsilon(1e-5));
}

TEST_CASE("late wake-ups of the simulator do not slow its wire") {
    const auto took = [](std::chrono::microseconds late) {
        Bench bench(115200, {.report_delay = std::nullopt});
        bench.write(fmt::format("AT+CMGW=22\r"));
        const SteadyTime begun = bench.now;
        (void)bench.read_until("> ", late);
        bench.write(std::string(test::Rig::sample_pdu) + "\x1A");
        (void)bench.read_until("OK\r\n", late);
        return bench.arrived - begun;
    };
    CHECK(took(0us) == took(40us));
}

TEST_CASE("what the simulator was late with is reported, and not as the host's time") {
    Bench bench(0, {.report_delay = std::nullopt});
    const auto read = [&](std::string_view end, std::chrono::microseconds late) {
        (void)bench.read_until(end, late);
        bench.now += late;
    };
    for (int i = 0; i < 2; ++i) {
        bench.now += 300us;
        bench.write("AT+CMGS=22\r");
        read("> ", 40us);
        bench.now += 200us;
        bench.write(std::string(test::Rig::sample_pdu) + "\x1A");
        read("OK\r\n", 70us);
    }
    REQUIRE(bench.journal.submits.size() == 2);
    const modem_sim::HostGaps& gaps = bench.journal.submits.back().gaps;
    CHECK(gaps.command.host == 300us);
    CHECK(gaps.command.late == 70us);
    CHECK(gaps.entry.host == 200us);
    CHECK(gaps.entry.late == 40us);
}

TEST_CASE("without pacing everything is there at once") {
    Bench bench(0, {.report_delay = std::nullopt});
    const SteadyTime begun = bench.now;
    for (int i = 0; i < 100; ++i) {
        bench.write("AT+CMGS=22\r");
        (void)bench.read_until("> ");
        bench.write(std::string(test::Rig::sample_pdu) + "\x1A");
        (void)bench.read_until("OK\r\n");
    }
    CHECK(bench.now == begun);
    CHECK(bench.journal.submits.size() == 100);
}

TEST_CASE("split: n octets leave one by one, a millisecond apart") {
    for (const unsigned baud : {0U, 115200U}) {
        CAPTURE(baud);
        Bench bench(baud);
        bench.modem.inject(bench.now, {.kind = modem_sim::FaultKind::split, .count = 4});
        bench.write("AT\r");
        std::vector<std::string> pieces;
        SteadyTime before = bench.now;
        while (pieces.empty() || !pieces.back().ends_with("\n") || pieces.size() < 5) {
            bench.now = std::max(bench.now, bench.modem.step(bench.now));
            (void)bench.modem.step(bench.now);
            if (const auto octets = bench.modem.take_received(bench.now); !octets.empty()) {
                pieces.push_back(octets);
                if (pieces.size() <= 4) {
                    CHECK(bench.now - before >= 1ms);
                }
                before = bench.now;
            }
        }
        CHECK(pieces == std::vector<std::string>{"\r", "\n", "O", "K", "\r\n"});
    }
}

TEST_CASE("a long listing reaches the host in pieces at line ends") {
    Bench bench(9600);
    for (std::uint64_t id = 1; id <= 20; ++id) {
        REQUIRE(bench.modem.offer(bench.now, {.id = id, .from = "+33611223344", .text = "hello"}));
    }
    (void)bench.read_until("\"SM\",20\r\n");
    bench.write("AT+CMGL=4\r");
    std::size_t pieces = 0;
    std::string all;
    while (!all.ends_with("\r\nOK\r\n")) {
        const std::string piece = bench.read_until("\r\n");
        CHECK(piece.size() < 400);
        all += piece;
        ++pieces;
    }
    CHECK(pieces >= 5);
}

TEST_CASE("unplugged it is deaf and dumb; plugged in it starts") {
    Bench bench(115200, {.boot = 100ms, .service = {.mean = 50ms}});
    bench.write("AT+WIND=32767\r");
    (void)bench.read_until("OK\r\n");
    bench.write("AT+CMGS=22\r");
    (void)bench.read_until("> ");
    bench.write(std::string(test::Rig::sample_pdu) + "\x1A");
    (void)bench.modem.step(bench.now);
    bench.modem.inject(bench.now, {.kind = modem_sim::FaultKind::unplug});
    CHECK(bench.modem.step(bench.now + 1h) == never);
    CHECK(bench.journal.submits.empty());
    bench.now += 1h;
    bench.modem.inject(bench.now, {.kind = modem_sim::FaultKind::replug});
    CHECK(bench.read_until("+WIND: 16\r\n").starts_with("\r\n+WIND: 1\r\n"));
}

TEST_CASE("a host that writes faster than the wire must wait") {
    Bench bench(9600);
    CHECK(bench.modem.accepts());
    bench.write(std::string(5000, 'x'));
    CHECK_FALSE(bench.modem.accepts());
    bench.now += 6s;
    (void)bench.modem.step(bench.now);
    CHECK(bench.modem.accepts());
}

TEST_CASE("octets read at the rate at which they were sent are the same, whatever they are") {
    std::string all;
    for (int octet = 0; octet < 256; ++octet) {
        all += static_cast<char>(octet);
    }
    for (const unsigned baud : {1'200U, 115'200U, 921'600U}) {
        CHECK(modem_sim::read_at_rate(all, baud, baud) == all);
    }
    CHECK(modem_sim::read_at_rate("", 115'200, 230'400).empty());
}

TEST_CASE("octets read at another rate are samples of their levels") {
    // The start bit and the four bits of data that follow it, each twice.
    CHECK(modem_sim::read_at_rate("\x0f", 115'200, 230'400).front() == '\xfe');
    // Nine bits low: the first octet's stop bit is wrong, and so the next one begins in the middle of it.
    CHECK(modem_sim::read_at_rate({"", 1}, 115'200, 230'400) == std::string_view("\0\x80", 2));
    // Half a start bit is enough for the slower receiver, which then sees the line at rest.
    CHECK(modem_sim::read_at_rate("\xff", 230'400, 115'200) == "\xff");
}
