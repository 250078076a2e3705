#include "drivers/serial/pipe_trace.hpp"

#include "tests/support/scripted_pipe.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>
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

std::string masked(PinMask& mask, std::string text) {
    mask.apply(text);
    return text;
}

}  // namespace

TEST_CASE("PinMask: a PIN is masked to the end of its line, however it is cut") {
    const std::string text =
        "AT\rAT+CPIN=\"1234\"\rAT+CPIN?\rat+cpwd=\"SC\",\"1234\",\"5678\"\rAT+CSQ\r";
    const std::string want = "AT\rAT+CPIN=******\rAT+CPIN?\rat+cpwd=******************\rAT+CSQ\r";
    PinMask whole;
    CHECK(masked(whole, text) == want);
    PinMask by_byte;
    std::string out;
    for (const char c : text) {
        out += masked(by_byte, std::string(1, c));
    }
    CHECK(out == want);
}

TEST_CASE("traced: a tap hears both directions, PINs masked, and the pipe works as before") {
    class Tap final : public PipeTap {
    public:
        void heard(Direction direction, std::string_view bytes) override {
            said += direction == Direction::to_modem ? '>' : '<';
            said += bytes;
        }
        std::string said;
    } tap;
    test::Wire wire;
    const auto pipe = traced(std::make_unique<test::ScriptedPipe>(wire), tap);
    REQUIRE(pipe->write(std::string_view("AT+CPIN=\"1234\"\r")));
    CHECK(wire.from_host == "AT+CPIN=\"1234\"\r");
    wire.to_host = "OK\r\n";
    std::array<char, 16> buffer{};
    CHECK(pipe->read(buffer).value_or(0) == 4);
    CHECK(tap.said == ">AT+CPIN=******\r<OK\r\n");
}

TEST_CASE("LogTap: one log line for each line, without PDUs and full numbers") {
    KeptLog log;
    LogTap tap("m0", log);
    tap.heard(Direction::to_modem, "AT+CMGS=19\r");
    tap.heard(Direction::from_modem, "\r\n> ");
    tap.heard(Direction::to_modem, "0011000B913316325476F80000AA05E8329BFD06\x1a");
    tap.heard(Direction::from_modem, "\r\n+CMG");
    tap.heard(Direction::from_modem, "S: 12\r\n\r\nOK\r\n+CNUM: \"\",\"+33612345678\",145\r\n");
    CHECK(log.lines == std::vector<std::string>{
                           "at_to_modem m0 AT+CMGS=19",
                           "at_from_modem m0 > ",
                           "at_to_modem m0 0011...(40 digits)<Ctrl-Z>",
                           "at_from_modem m0 +CMGS: 12",
                           "at_from_modem m0 OK",
                           "at_from_modem m0 +CNUM: \"\",\"...(12 characters)\",145",
                       });
}

}  // namespace smsrack::serial
