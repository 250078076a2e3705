#include "src/wire/ndjson.hpp"

#include "src/wire/sse.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace smsrack::wire;

namespace {

std::vector<std::string> lines(std::string_view text, std::size_t piece) {
    LineSplitter splitter;
    std::vector<std::string> all;
    const auto keep = [&](const LineSplitter::Line& line) {
        all.push_back(std::to_string(line.number) + ":" +
                      (line.too_long ? "TOO LONG" : std::string(line.text)));
    };
    for (std::size_t from = 0; from < text.size(); from += piece) {
        std::string_view input = text.substr(from, piece);
        while (const auto line = splitter.next(input)) {
            keep(*line);
        }
    }
    if (const auto line = splitter.last()) {
        keep(*line);
    }
    return all;
}

}  // namespace

TEST_CASE("LineSplitter: the same lines, however they come; empty ones only count") {
    const std::string text = "one\ntwo\r\n\n  \nfive\n\nseven";
    for (const std::size_t piece :
         {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{5}, text.size()}) {
        CAPTURE(piece);
        CHECK(lines(text, piece) ==
              std::vector<std::string>{"1:one", "2:two", "5:five", "7:seven"});
    }
}

TEST_CASE(
    "LineSplitter: a line at the bound is taken, one above is reported and skipped, the next is "
    "good again") {
    const std::string most(LineSplitter::line_bytes_max, 'x');
    for (const std::size_t piece : {std::size_t{1000}, std::size_t{200'000}}) {
        CAPTURE(piece);
        CHECK(lines(most + "\n" + most + "y\nnext\n" + most + "z", piece) ==
              std::vector<std::string>{"1:" + most, "2:TOO LONG", "3:next", "4:TOO LONG"});
    }
}

TEST_CASE("append_sse_event: name, id and one line of data") {
    std::string out;
    append_sse_event(out, "message.sent", 42, R"({"id":"7"})");
    CHECK(out == "event: message.sent\nid: 42\ndata: {\"id\":\"7\"}\n\n");
}
