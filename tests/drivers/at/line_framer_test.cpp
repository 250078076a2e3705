#include "drivers/at/line_framer.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace smsrack::at {
namespace {

std::vector<std::string> lines_of(LineFramer& framer, std::string_view text) {
    std::vector<std::string> lines;
    std::span<const char> bytes(text);
    while (const auto line = framer.next(bytes)) {
        lines.push_back(line->prompt ? "prompt" : std::string(line->text));
    }
    return lines;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("LineFramer: a line ends at CR, LF or both, and what is not text is dropped") {
    struct Case {
        const char* so;
        std::string bytes;
        Lines lines;
    };
    for (const Case& c : {
             Case{"CR LF before and after", "\r\nOK\r\n", {"OK"}},
             Case{"CR alone", "OK\rERROR\r", {"OK", "ERROR"}},
             Case{"LF alone", "OK\nERROR\n", {"OK", "ERROR"}},
             Case{"CR CR LF", "OK\r\r\n", {"OK"}},
             Case{"nothing but line ends", "\r\n\n\r\r\n", {}},
             Case{"blanks around", "  OK  \r\n", {"OK"}},
             Case{"blanks within stay", "+CSQ: 1, 2\r\n", {"+CSQ: 1, 2"}},
             Case{"NUL and other control characters", std::string("\0O\x01K\0\x1a\r\n", 8), {"OK"}},
             Case{"octets above ASCII", "\xff\xfeOK\x80\r\n", {"OK"}},
             Case{"a half line is no line", "OK", {}},
             Case{"an unexpected prompt is text", "> \r\n", {">"}},
         }) {
        CAPTURE(c.so);
        LineFramer framer;
        CHECK(lines_of(framer, c.bytes) == c.lines);
    }
}

TEST_CASE("LineFramer: the prompt is seen without a line end, and only at the start of a line") {
    LineFramer framer;
    framer.expect_prompt(true);
    CHECK(lines_of(framer, "\r\n> ") == Lines{"prompt"});
    CHECK(lines_of(framer, "a> \r\n") == Lines{"a>"});
    CHECK(lines_of(framer, "AT+CMGS=19\r\r\n>").size() == 1);
    CHECK(lines_of(framer, " ") == Lines{"prompt"});
    framer.expect_prompt(false);
    CHECK(lines_of(framer, "> ").empty());
}

TEST_CASE("LineFramer: byte by byte gives the same lines") {
    const std::string text = "ATE0\r\r\nOK\r\n\r\n+CMTI: \"SM\",3\r\n> 00\r\n";
    LineFramer whole;
    LineFramer by_byte;
    Lines lines;
    for (const char c : text) {
        for (auto& line : lines_of(by_byte, {&c, 1})) {
            lines.push_back(line);
        }
    }
    CHECK(lines == lines_of(whole, text));
    CHECK(lines.size() == 4);
}

TEST_CASE("LineFramer: a line without end is cut at line_max, and the next one is whole again") {
    LineFramer framer;
    const auto lines = lines_of(framer, std::string(10 * LineFramer::line_max, 'x') + "\r\nOK\r\n");
    REQUIRE(lines.size() == 2);
    CHECK(lines[0].size() == LineFramer::line_max);
    CHECK(lines[1] == "OK");
}

TEST_CASE("LineFramer: clear() forgets a half line") {
    LineFramer framer;
    CHECK(lines_of(framer, "ERR").empty());
    framer.clear();
    CHECK(lines_of(framer, "OK\r\n") == Lines{"OK"});
}

}  // namespace smsrack::at
