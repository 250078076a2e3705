#include "src/wire/http_head_check.hpp"

#include "src/wire/url.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::wire {
namespace {

using Refusal = Http1Parser::Refusal;

bool equal_ignoring_case(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, [](char x, char y) {
        const auto small = [](char c) {
            return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
        };
        return small(x) == small(y);
    });
}

std::size_t count_of(const HttpRequest& request, std::string_view name) {
    return static_cast<std::size_t>(std::ranges::count(request.headers, name, &HeaderField::name));
}

std::optional<Refusal> check_framing(const HttpRequest& request, bool is_1_1) {
    const std::size_t encodings = count_of(request, "transfer-encoding");
    if (encodings == 0) {
        return std::nullopt;
    }
    if (!is_1_1 || encodings > 1 ||
        !equal_ignoring_case(request.header("transfer-encoding"), "chunked") ||
        count_of(request, "content-length") > 0) {
        return Refusal{.status = 400,
                       .reason = "Transfer-Encoding is one \"chunked\", alone, on HTTP/1.1"};
    }
    return std::nullopt;
}

}  // namespace

std::optional<Refusal> check_head(const LlhttpDoor::Head& facts, std::size_t headers_max,
                                  HttpRequest& request) {
    if (facts.major != 1 || facts.minor > 1) {
        return Refusal{.status = 505, .reason = "only HTTP/1.0 and HTTP/1.1 are spoken here"};
    }
    const bool is_1_1 = facts.minor == 1;
    request.is_1_1 = is_1_1;
    if (request.headers.size() > headers_max) {
        return Refusal{.status = 431, .reason = "too many header lines"};
    }
    const std::size_t hosts = count_of(request, "host");
    if (hosts > 1 || (hosts == 0 && is_1_1)) {
        return Refusal{.status = 400, .reason = "HTTP/1.1 needs one Host"};
    }
    if (request.method == "CONNECT") {
        return Refusal{.status = 501, .reason = "CONNECT is not spoken here"};
    }
    if (const auto fault = check_framing(request, is_1_1)) {
        return fault;
    }
    if (const std::string_view expect = request.header("expect"); !expect.empty() && is_1_1) {
        if (!equal_ignoring_case(expect, "100-continue")) {
            return Refusal{.status = 417, .reason = "only 100-continue can be expected"};
        }
        request.expects_continue = true;
    }
    auto target = parse_target(facts.target);
    if (!target) {
        return Refusal{.status = 400, .reason = "the request target is not a path"};
    }
    request.path = std::move(target->path);
    request.params = std::move(target->params);
    return std::nullopt;
}

}  // namespace smsrack::wire
