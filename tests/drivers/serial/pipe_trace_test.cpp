#include "drivers/serial/pipe_trace.hpp"

#include "tests/support/scripted_pipe.hpp"

#include <doctest/doctest.h>

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::serial {
namespace {

class KeptLog final : public Log {
public:
    [[nodiscard]] bool enabled(LogLevel) const override { return true; }
    void write(LogLevel, std::string_view event, std::initializer_list<LogField> fields) override {
        std::string line(event);
        for (const auto& field : fields) {
            line += " " + field.value;
        }
        lines.push_back(line);
    }
    std::vector<std::string> lines;
};

struct TraceBench {
    test::Wire wire;
    KeptLog log;
    std::unique_ptr<BytePipe> pipe = traced(std::make_unique<test::ScriptedPipe>(wire), "m0", log);

    void writes(std::string_view text) { REQUIRE(pipe->write(text)); }
    /// Reads until nothing is left.
    void reads(std::string_view text) {
        wire.to_host += text;
        std::array<char, 4> buffer{};
        while (pipe->read(buffer).value_or(0) > 0) {
        }
    }
};

}  // namespace

TEST_CASE("traced: a PIN is masked to the end of its line, however it is cut") {
    const std::string text =
        "AT\rAT+CPIN=\"1234\"\rAT+CPIN?\rat+cpwd=\"SC\",\"1234\",\"5678\"\rAT+CSQ\r";
    const std::vector<std::string> want{
        "at_to_modem m0 AT", "at_to_modem m0 AT+CPIN=******", "at_to_modem m0 AT+CPIN?",
        "at_to_modem m0 at+cpwd=******************", "at_to_modem m0 AT+CSQ"};
    TraceBench whole;
    whole.writes(text);
    CHECK(whole.log.lines == want);
    TraceBench by_byte;
    for (const char c : text) {
        by_byte.writes({&c, 1});
    }
    CHECK(by_byte.log.lines == want);
    TraceBench echoed;
    echoed.reads("AT+CPIN=\"1234\"\r\nOK\r\n");
    CHECK(echoed.log.lines ==
          std::vector<std::string>{"at_from_modem m0 AT+CPIN=******", "at_from_modem m0 OK"});
}

TEST_CASE("traced: of a line that is longer than any, nothing is shown behind its secret") {
    TraceBench bench;
    bench.writes("AT+CPIN=\"" + std::string(600, '7') + "1234\"\r");
    REQUIRE(bench.log.lines.size() == 1);
    CHECK(bench.log.lines[0].find_first_of("1234567890", 15) == std::string::npos);
}

TEST_CASE("traced: the pipe works as before") {
    TraceBench bench;
    bench.writes("AT+CPIN=\"1234\"\r");
    CHECK(bench.wire.from_host == "AT+CPIN=\"1234\"\r");
    bench.wire.to_host = "OK\r\n";
    std::array<char, 16> buffer{};
    CHECK(bench.pipe->read(buffer).value_or(0) == 4);
    CHECK(std::string_view(buffer.data(), 4) == "OK\r\n");
}

TEST_CASE("traced: one log line for each line, without PDUs and full numbers") {
    TraceBench bench;
    bench.writes("AT+CMGS=19\r");
    bench.reads("\r\n> ");
    bench.writes("0011000B913316325476F80000AA05E8329BFD06\x1a");
    bench.reads("\r\n+CMG");
    bench.reads("S: 12\r\n\r\nOK\r\n+CNUM: \"\",\"+33612345678\",145\r\n");
    CHECK(bench.log.lines == std::vector<std::string>{
                                 "at_to_modem m0 AT+CMGS=19",
                                 "at_from_modem m0 > ",
                                 "at_to_modem m0 0011...(40 digits)<Ctrl-Z>",
                                 "at_from_modem m0 +CMGS: 12",
                                 "at_from_modem m0 OK",
                                 "at_from_modem m0 +CNUM: \"\",\"...(12 characters)\",145",
                             });
}

}  // namespace smsrack::serial
