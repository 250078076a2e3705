// Whole sessions with the local API: HTTP/1.1 and the bodies of all calls. However the octets come, the answers are the same, and each
// is an answer that a client can read.
#include "src/base/check.hpp"
#include "src/wire/json.hpp"
#include "src/wire/response_parser.hpp"
#include "tests/fuzz/api_conversation.hpp"
#include "tests/fuzz/input.hpp"

#include <fmt/format.h>
#include <string>
#include <vector>

namespace smsrack::fuzz {
namespace {

void check_json(const wire::ReplyHead& head, const std::string& body) {
    const std::string_view type = head.header("content-type");
    if (type == "application/problem+json") {
        const auto problem = wire::parse_json(body);
        SMSRACK_CHECK(problem && problem->at("status") == head.status);
        SMSRACK_CHECK(problem->at("code").is_string() && head.status >= 400);
    } else if (type == "application/json" && head.status != 204) {
        SMSRACK_CHECK(wire::parse_json(body).has_value());
    } else if (type == "application/x-ndjson") {
        for (const std::string_view line : lines_of(body)) {
            const auto json = wire::parse_json(line);
            SMSRACK_CHECK(json && json->is_object());
        }
    }
}

/// Each answer as one text, without its framing; the last one may be without its end, where the input had none.
std::vector<std::string> read_answers(const Conversation& told) {
    std::vector<std::string> answers;
    std::string_view rest = told.answers;
    while (!rest.empty()) {
        const bool of_request = answers.size() < told.methods.size();
        const bool head_only = of_request && told.methods[answers.size()] == "HEAD";
        wire::ResponseParser parser;
        std::string body;
        const std::string_view before = rest;
        const auto fed =
            parser.feed(rest, [&](const wire::ReplyHead&, std::string_view part) { body += part; });
        if (!parser.head_whole() && before == "HTTP/1.1 100 Continue\r\n\r\n") {
            break;  // and then the client went away
        }
        SMSRACK_CHECK((fed && parser.head_whole()) || head_only);
        if (head_only) {
            rest = before.substr(before.find("\r\n\r\n") + 4);
            answers.emplace_back(before.substr(0, before.size() - rest.size()));
            continue;
        }
        const int status = parser.head().status;
        SMSRACK_CHECK(status >= 200 && status <= 599);
        SMSRACK_CHECK(rest.empty() || parser.complete());
        if (parser.complete()) {
            check_json(parser.head(), body);
        }
        answers.push_back(fmt::format("{} {} {}", status, parser.keeps_alive(), body));
    }
    SMSRACK_CHECK(answers.size() <= told.methods.size() + 1);
    return answers;
}

/// The same; where the connection was cut, as far as both go.
bool agree(const std::vector<std::string>& one, const std::vector<std::string>& other, bool cut) {
    if (!cut) {
        return one == other;
    }
    const auto& shorter = one.size() <= other.size() ? one : other;
    const auto& longer = one.size() <= other.size() ? other : one;
    for (std::size_t i = 0; i < shorter.size(); ++i) {
        const bool last = i + 1 == shorter.size();
        const bool begins = longer[i].starts_with(shorter[i]) || shorter[i].starts_with(longer[i]);
        if (last ? !begins : longer[i] != shorter[i]) {
            return false;
        }
    }
    return true;
}

}  // namespace

int fuzz_http_api(Octets input) {
    const std::string_view text = text_of(input);
    const Conversation whole = converse({text});
    const std::vector<std::string> answers = read_answers(whole);
    for (const auto& pieces : ways_to_come(text)) {
        const Conversation told = converse(pieces);
        SMSRACK_CHECK(told.methods == whole.methods);
        SMSRACK_CHECK(told.cut == whole.cut);
        SMSRACK_CHECK(agree(read_answers(told), answers, whole.cut));
    }
    return 0;
}

}  // namespace smsrack::fuzz
