// Sessions and bodies in pieces of every length: what is read does not depend on it.
#include "src/wire/ndjson.hpp"
#include "src/wire/response_parser.hpp"
#include "tests/fuzz/api_conversation.hpp"
#include "tests/support/read_file.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fmt/format.h>
#include <string>
#include <vector>

using namespace smsrack;

namespace {

const std::filesystem::path corpus = SMSRACK_SOURCE_DIR "/tests/fuzz/corpus";

std::vector<std::string_view> pieces_of(std::string_view text, std::size_t length) {
    std::vector<std::string_view> pieces;
    for (std::size_t at = 0; at < text.size(); at += length) {
        pieces.push_back(text.substr(at, length));
    }
    return pieces;
}

/// Without the framing of the answers, which may differ: a streamed one leaves as it is made.
std::string content_of(std::string_view answers) {
    std::string content;
    while (!answers.empty()) {
        wire::ResponseParser parser;
        const std::size_t before = answers.size();
        const auto fed =
            parser.feed(answers, [&](const auto&, std::string_view part) { content += part; });
        content += fmt::format("|{} {}\n", fed.has_value(), parser.head().status);
        if (!fed || answers.size() == before) {
            break;
        }
    }
    return content;
}

std::string lines_in(const std::vector<std::string_view>& pieces) {
    wire::LineSplitter splitter;
    std::string lines;
    const auto add = [&](const wire::LineSplitter::Line& line) {
        lines += fmt::format("{} {}\n", line.number, line.text);
    };
    for (std::string_view piece : pieces) {
        while (const auto line = splitter.next(piece)) {
            add(*line);
        }
    }
    if (const auto line = splitter.last()) {
        add(*line);
    }
    return lines;
}

}  // namespace

TEST_CASE("a session with the API has the same answers, in whatever length its octets come") {
    for (const char* const name :
         {"submit", "submit-all-members", "submit-chunked", "submit-lines", "events",
          "events-length", "triggers", "preview", "pauses", "optouts", "continue", "hostile-08"}) {
        CAPTURE(name);
        const std::string text = test::read_file(corpus / "http_api" / name);
        REQUIRE_FALSE(text.empty());
        const fuzz::Conversation whole = fuzz::converse({text});
        const std::string content = content_of(whole.answers);
        REQUIRE(content.contains("|true "));
        for (std::size_t length = 1; length < text.size(); ++length) {
            CAPTURE(length);
            const fuzz::Conversation told = fuzz::converse(pieces_of(text, length));
            CHECK(told.methods == whole.methods);
            REQUIRE(content_of(told.answers) == content);
        }
    }
}

TEST_CASE("a body of lines is the same lines, in whatever length its octets come") {
    const std::string text =
        test::read_file(corpus / "ndjson" / "lines") + test::read_file(corpus / "ndjson" / "ends");
    REQUIRE(text.size() > 40);
    for (std::size_t length = 1; length <= text.size(); ++length) {
        CAPTURE(length);
        CHECK(lines_in(pieces_of(text, length)) == lines_in({text}));
    }
}
