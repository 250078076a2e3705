// What our own client reads: an HTTP response and a stream of events, the same however they come.
#include "src/base/check.hpp"
#include "src/wire/response_parser.hpp"
#include "tests/fuzz/input.hpp"
#include "tools/client/sse_reader.hpp"

#include <fmt/format.h>
#include <string>

namespace smsrack::fuzz {
namespace {

/// Status, headers and body, or what is wrong, and how much was left of it.
std::string read_response(const std::vector<std::string_view>& pieces) {
    wire::ResponseParser parser;
    std::string body;
    std::size_t left = 0;
    for (const std::string_view piece : pieces) {
        std::string_view rest = piece;
        if (parser.complete()) {
            left += rest.size();
            continue;
        }
        const auto fed = parser.feed(rest, [&](const wire::ReplyHead& head, std::string_view part) {
            SMSRACK_CHECK(&head == &parser.head() && parser.head_whole());
            body += part;
        });
        if (!fed) {
            SMSRACK_CHECK(fed.error().code == Errc::protocol);
            return body + "|" + fed.error().context;
        }
        SMSRACK_CHECK(rest.empty() || parser.complete());
        left += rest.size();
    }
    const auto end = parser.complete() ? Result<>() : parser.end_of_stream();
    std::string told = fmt::format("{}|{}|{}|", body, left, end ? "well" : end.error().context);
    if (parser.head_whole()) {
        told += fmt::format("{} {}", parser.head().status, parser.keeps_alive());
        for (const auto& [name, value] : parser.head().headers) {
            told += fmt::format("\n{}:{}", name, value);
        }
    }
    return told;
}

std::string read_events(const std::vector<std::string_view>& pieces) {
    client::SseReader reader;
    std::string told;
    for (const std::string_view piece : pieces) {
        const auto fed = reader.feed(piece, [&](const client::SseEvent& event) {
            told += fmt::format("{}|{}|{}\n", event.id, event.type, event.data);
        });
        if (!fed) {
            return told + fed.error().context;
        }
    }
    return told;
}

}  // namespace

int fuzz_reply(Octets input) {
    const std::string_view text = text_of(input);
    const std::string response = read_response({text});
    const std::string events = read_events({text});
    for (const auto& pieces : ways_to_come(text)) {
        SMSRACK_CHECK(read_response(pieces) == response);
        SMSRACK_CHECK(read_events(pieces) == events);
    }
    return 0;
}

}  // namespace smsrack::fuzz
