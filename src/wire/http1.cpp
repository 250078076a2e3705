#include "src/wire/http1.hpp"

#include "src/base/check.hpp"
#include "src/wire/http_head_check.hpp"

#include <fmt/format.h>

namespace smsrack::wire {

using Stop = LlhttpDoor::Stop;

namespace {

constexpr std::size_t framing_max = 64;  // CRLF, 16 digits, CRLF; leading zeros are not needed

}  // namespace

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
    framing_.clear();
    in_body_ = false;
    return Step::head;
}

Http1Parser::Step Http1Parser::take_body(std::string_view& input) {
    const std::string_view before = input;
    switch (llhttp_.run(input)) {
        case Stop::taken:
            framing_ += before.substr(0, framing_max + 1);
            return framing_.size() > framing_max ? refuse(400, "a chunk's size is too long")
                                                 : Step::need_more;
        case Stop::body:
            framing_.clear();
            in_body_ = true;
            return Step::body;
        case Stop::last_chunk:
            framing_ += before.substr(0, before.size() - input.size());
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

std::string Http1Parser::octets_to_here() const {
    const LlhttpDoor::Head& facts = llhttp_.head();
    if (!facts.chunked) {
        return fmt::format("POST /0 HTTP/1.1\r\nHost: a\r\nContent-Length: {}\r\n\r\n",
                           llhttp_.body_left());
    }
    // Behind the last octet of a chunk no head leads: one more chunk of one octet does.
    const bool behind_chunk = in_body_ && (!framing_.empty() || llhttp_.body_left() == 0);
    std::string octets = fmt::format(
        "POST /{:d} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", behind_chunk);
    if (behind_chunk) {
        octets += "1\r\n.";
    } else if (in_body_) {
        octets += fmt::format("{:x}\r\n", llhttp_.body_left());
    }
    return octets + framing_ +
           std::string(phase_ == Phase::last_chunk ? last_chunk_octets_ : 0, '\r');
}

Http1Parser::Step Http1Parser::refuse(int status, std::string_view reason) {
    phase_ = Phase::refused;
    refusal_ = {.status = status, .reason = reason};
    return Step::refused;
}

}  // namespace smsrack::wire
