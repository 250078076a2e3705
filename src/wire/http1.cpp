#include "src/wire/http1.hpp"

#include "src/base/check.hpp"
#include "src/wire/http_head_check.hpp"

namespace smsrack::wire {

using Stop = LlhttpDoor::Stop;

Http1Parser::Step Http1Parser::next(std::string_view& input) {
    switch (phase_) {
        case Phase::head:
            return take_head(input);
        case Phase::body:
            return take_body(input);
        case Phase::last_chunk:
            return take_last_chunk(input);
        case Phase::refused:
            return Step::refused;
    }
    return Step::refused;
}

Http1Parser::Step Http1Parser::take_head(std::string_view& input) {
    std::size_t taken = 0;
    const HeadScan::Found found = scan_.scan(input, taken);
    if (held_head_.size() + taken > limits_.head_bytes_max) {
        return refuse(431, "the head is too large");
    }
    if (found == HeadScan::Found::fault) {
        return refuse(400, scan_.fault());
    }
    const std::string_view piece = input.substr(0, taken);
    input.remove_prefix(taken);
    if (found == HeadScan::Found::end && held_head_.empty()) {
        return parse_head(piece);
    }
    held_head_ += piece;
    if (found != HeadScan::Found::end) {
        return Step::need_more;
    }
    const Step step = parse_head(held_head_);
    held_head_.clear();
    return step;
}

Http1Parser::Step Http1Parser::parse_head(std::string_view text) {
    llhttp_.begin();
    const Stop stop = llhttp_.run(text);
    if (stop == Stop::bad_version) {
        return refuse(505, "only HTTP/1.0 and HTTP/1.1 are spoken here");
    }
    if (stop != Stop::head || !text.empty()) {
        return refuse(400, "not an HTTP request");
    }
    const LlhttpDoor::Head& facts = llhttp_.head();
    HttpRequest& request = llhttp_.request();
    if (const auto fault = check_head(facts, limits_.headers_max, request)) {
        return refuse(fault->status, fault->reason);
    }
    request.has_body = facts.chunked || facts.content_length > 0;
    request.keep_alive = request.is_1_1 && facts.keep_alive;
    phase_ = Phase::body;
    return Step::head;
}

Http1Parser::Step Http1Parser::take_body(std::string_view& input) {
    switch (llhttp_.run(input)) {
        case Stop::taken:
            return Step::need_more;
        case Stop::body:
            return Step::body;
        case Stop::last_chunk:
            phase_ = Phase::last_chunk;
            last_chunk_octets_ = 0;
            return take_last_chunk(input);
        case Stop::message:
            phase_ = Phase::head;
            return Step::complete;
        case Stop::head:
        case Stop::bad_version:
        case Stop::bad:
            break;
    }
    return refuse(400, "the body's framing is broken");
}

Http1Parser::Step Http1Parser::take_last_chunk(std::string_view& input) {
    constexpr std::string_view wanted = "\r\n";
    while (last_chunk_octets_ < wanted.size()) {
        if (input.empty()) {
            return Step::need_more;
        }
        if (input[0] != wanted[last_chunk_octets_]) {
            return refuse(400, "trailers are not accepted");
        }
        input.remove_prefix(1);
        ++last_chunk_octets_;
    }
    std::string_view rest = wanted;
    const Stop stop = llhttp_.run(rest);
    SMSRACK_CHECK(stop == Stop::message && rest.empty());
    phase_ = Phase::head;
    return Step::complete;
}

Http1Parser::Step Http1Parser::refuse(int status, std::string_view reason) {
    phase_ = Phase::refused;
    refusal_ = {.status = status, .reason = reason};
    return Step::refused;
}

}  // namespace smsrack::wire
