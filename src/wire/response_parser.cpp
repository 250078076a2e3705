#include "src/wire/response_parser.hpp"

#include <algorithm>
#include <charconv>

namespace smsrack::wire {
namespace {

constexpr std::size_t head_max = std::size_t{64} * 1024;  // octets; ours are below 1 KiB

std::string lower(std::string_view text) {
    std::string out(text);
    std::ranges::transform(out, out.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    });
    return out;
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    return first == std::string_view::npos
               ? ""
               : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

template <typename T>
bool parse_number(std::string_view text, T& out, int base = 10) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out, base);
    return error == std::errc() && end == text.data() + text.size();
}

std::unexpected<Error> broken(const char* what) {
    return fail(Errc::protocol, what);
}

}  // namespace

std::string_view ReplyHead::header(std::string_view name) const {
    const auto found =
        std::ranges::find(headers, name, &std::pair<std::string, std::string>::first);
    return found == headers.end() ? std::string_view() : found->second;
}

Result<> ResponseParser::feed(std::string_view& input, const Body& body) {
    while (!input.empty() && !complete()) {
        const bool in_body =
            state_ == State::length || state_ == State::chunk || state_ == State::until_close;
        if (in_body) {
            take_body(input, body);
        } else if (auto taken = take_line(input); !taken) {
            return taken;
        }
    }
    return {};
}

Result<> ResponseParser::end_of_stream() {
    if (state_ == State::until_close) {
        state_ = State::complete;
    }
    return complete() ? Result<>{}
                      : fail(Errc::closed,
                             "the service closed the connection before its answer was whole");
}

void ResponseParser::take_body(std::string_view& input, const Body& body) {
    std::size_t size = input.size();
    if (state_ != State::until_close) {
        size = static_cast<std::size_t>(std::min<std::uint64_t>(left_, input.size()));
        left_ -= size;
    }
    body(head_, input.substr(0, size));
    input.remove_prefix(size);
    if (state_ != State::until_close && left_ == 0) {
        state_ = state_ == State::length ? State::complete : State::chunk_end;
    }
}

Result<> ResponseParser::take_line(std::string_view& input) {
    const auto end = input.find('\n');
    line_.append(input.substr(0, end));
    input.remove_prefix(end == std::string_view::npos ? input.size() : end + 1);
    if (line_.size() > head_max) {
        return broken("the answer has a line without end");
    }
    if (end == std::string_view::npos) {
        return {};
    }
    if (line_.ends_with('\r')) {
        line_.pop_back();
    }
    const std::string line = std::exchange(line_, {});
    switch (state_) {
        case State::head:
            return head_line(line);
        case State::chunk_size:
            return chunk_size_line(line);
        case State::chunk_end:
            state_ = State::chunk_size;
            return line.empty() ? Result<>{}
                                : broken("a chunk of the answer is longer than it said");
        case State::trailer:
            state_ = line.empty() ? State::complete : State::trailer;
            return {};
        default:
            return broken("the answer is out of order");
    }
}

Result<> ResponseParser::head_line(std::string_view line) {
    head_bytes_ += line.size();
    if (head_bytes_ > head_max) {
        return broken("the answer's head has no end");
    }
    if (head_.status == 0) {
        return status_line(line);
    }
    if (line.empty()) {
        return end_of_head();
    }
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) {
        return broken("the answer has a header without a colon");
    }
    head_.headers.emplace_back(lower(line.substr(0, colon)), trimmed(line.substr(colon + 1)));
    return {};
}

Result<> ResponseParser::status_line(std::string_view line) {
    const bool is_http = line.starts_with("HTTP/1.1 ") || line.starts_with("HTTP/1.0 ");
    if (!is_http || line.size() < 12 || !parse_number(line.substr(9, 3), head_.status) ||
        head_.status < 100) {
        return broken("the answer is not HTTP/1.1");
    }
    keeps_alive_ = line.starts_with("HTTP/1.1 ");
    return {};
}

Result<> ResponseParser::end_of_head() {
    if (head_.status < 200) {
        head_ = {};
        head_bytes_ = 0;
        return {};
    }
    if (lower(head_.header("connection")) == "close") {
        keeps_alive_ = false;
    }
    const std::string_view length = head_.header("content-length");
    if (head_.status == 204 || head_.status == 304) {
        state_ = State::complete;
    } else if (lower(head_.header("transfer-encoding")) == "chunked") {
        state_ = State::chunk_size;
    } else if (length.empty()) {
        state_ = State::until_close;
        keeps_alive_ = false;
    } else if (!parse_number(length, left_)) {
        return broken("the answer's Content-Length is no number");
    } else {
        state_ = left_ == 0 ? State::complete : State::length;
    }
    return {};
}

Result<> ResponseParser::chunk_size_line(std::string_view line) {
    const std::string_view size = trimmed(line.substr(0, line.find(';')));
    if (!parse_number(size, left_, 16)) {
        return broken("a chunk of the answer has no size");
    }
    state_ = left_ == 0 ? State::trailer : State::chunk;
    return {};
}

}  // namespace smsrack::wire
