#include "drivers/gsm/flight_recorder.hpp"

#include "tests/support/manual_clock.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

struct Bench {
    test::ManualClock clock;
    gsm::FlightRecorder recorder;

    explicit Bench(bool record_texts = false) : recorder(clock, record_texts) {}

    [[nodiscard]] std::string all(std::size_t octets = 1'000'000) const {
        return recorder.text(WallTime::min(), octets);
    }
    /// Without the times.
    [[nodiscard]] std::string words() const {
        std::string out;
        std::string text = all();
        for (std::size_t at = 0; at < text.size();) {
            const auto end = text.find('\n', at);
            out += text.substr(at + 13, end + 1 - at - 13);
            at = end + 1;
        }
        return out;
    }
};

}  // namespace

TEST_CASE("FlightRecorder: a dialogue is shown with times, directions and what each line is") {
    Bench bench;
    auto& recorder = bench.recorder;
    recorder.wrote("AT+CMGS=19");
    recorder.heard(at::LineKind::prompt, "> ");
    bench.clock.advance(1500ms);
    recorder.wrote("0011000B913316325476F80000AA05E8329BFD06");
    recorder.heard(at::LineKind::urc, "+CMTI: \"SM\",3");
    recorder.heard(at::LineKind::intermediate, "+CMGS: 12");
    recorder.heard(at::LineKind::final_result, "OK");
    recorder.heard(at::LineKind::data, "a word that nobody expected");
    recorder.wrote("\x1b");
    recorder.wrote("AT+CFUN=1\r");
    recorder.became("the modem was unplugged");
    CHECK(bench.words() ==
          "> AT+CMGS=19\n"
          "< >   [prompt]\n"
          "> 0011...(40 digits)\n"
          "< +CMTI: \"SM\",3  [urc]\n"
          "< +CMGS: 12\n"
          "< OK  [result]\n"
          "< a word t...(27 characters)  [data]\n"
          "> <ESC>\n"
          "> AT+CFUN=1\n"
          "= the modem was unplugged\n");
    const auto first = bench.all().substr(0, 12);
    const auto third = bench.all().substr(bench.all().find("> 0011") - 13, 12);
    CHECK(first.size() == 12);
    CHECK(first[2] == ':');
    CHECK(first[8] == '.');
    CHECK(first < third);
}

TEST_CASE("FlightRecorder: texts and numbers are kept where they are asked for, PINs never") {
    Bench bench(true);
    bench.recorder.wrote("0011000B913316325476F8");
    bench.recorder.wrote("AT+CPIN=\"1234\"");
    bench.recorder.heard(at::LineKind::echo, "AT+CPIN=\"1234\"");
    bench.recorder.heard(at::LineKind::data, "a word that nobody expected");
    CHECK(bench.words() ==
          "> 0011000B913316325476F8\n"
          "> AT+CPIN=******\n"
          "< AT+CPIN=******  [echo]\n"
          "< a word that nobody expected  [data]\n");
}

TEST_CASE("FlightRecorder: the oldest lines give way, by number and by octets") {
    Bench bench(true);
    SUBCASE("many short ones") {
        for (std::size_t i = 0; i < gsm::FlightRecorder::lines_max + 3; ++i) {
            bench.recorder.wrote("AT" + std::to_string(i));
        }
        const auto words = bench.words();
        CHECK(words.starts_with("> AT3\n"));
        CHECK(words.ends_with("> AT514\n"));
        CHECK(std::ranges::count(words, '\n') == gsm::FlightRecorder::lines_max);
    }
    SUBCASE("few long ones, each whole although the ring turns within one") {
        for (int i = 0; i < 200; ++i) {
            bench.recorder.wrote(std::string(349, static_cast<char>('a' + i % 26)) + "!");
        }
        const auto words = bench.words();
        const auto lines = std::ranges::count(words, '\n');
        CHECK(lines == static_cast<std::ptrdiff_t>(gsm::FlightRecorder::octets_max / 350));
        for (std::size_t at = 0; at < words.size(); at += 353) {
            CHECK(words.substr(at, 353) == "> " + std::string(349, words[at + 2]) + "!\n");
        }
    }
    SUBCASE("a line that is too long is cut") {
        bench.recorder.wrote(std::string(5'000, 'x'));
        CHECK(bench.words() == "> " + std::string(gsm::FlightRecorder::line_max, 'x') + "\n");
    }
}

TEST_CASE("FlightRecorder: what is read begins where it was asked for, and has whole lines") {
    Bench bench;
    bench.recorder.wrote("AT+ONE");
    bench.clock.advance(1s);
    const WallTime later = bench.clock.wall();
    bench.recorder.wrote("AT+TWO");
    bench.recorder.wrote("AT+SIX");
    const auto from = bench.recorder.text(later, 1'000);
    CHECK_FALSE(from.contains("ONE"));
    CHECK(from.contains("TWO"));
    const auto size = from.size();
    CHECK(bench.all(size) == from);
    const auto last = bench.all(size - 1);
    CHECK(last.size() == size / 2);
    CHECK(last.ends_with("> AT+SIX\n"));
    CHECK(bench.all(0).empty());
}
