/// Parses one HTTP/1.1 response from a stream of octets, however it is split.
///
/// Errors:  protocol, final: the connection is of no more use.
/// Source:  RFC 9112 6 and 7.1. Interim responses (1xx) are skipped, trailers dropped.
#pragma once

#include "src/base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smsrack::wire {

struct ReplyHead {
    int status = 0;
    std::vector<std::pair<std::string, std::string>> headers = {};  ///< names in small letters

    /// The first such header, or an empty view; valid as long as the head.
    [[nodiscard]] std::string_view header(std::string_view name) const;
};

class ResponseParser {
public:
    using Body = std::function<void(const ReplyHead&, std::string_view)>;

    /// Takes octets from the front of `input` up to the end of the response; `body` is given its
    /// pieces.
    [[nodiscard]] Result<> feed(std::string_view& input, const Body& body);

    /// The connection ended: which is right for a body that ends with the connection.
    [[nodiscard]] Result<> end_of_stream();

    [[nodiscard]] bool complete() const { return state_ == State::complete; }
    [[nodiscard]] bool head_whole() const { return state_ != State::head; }
    /// Valid once the head is whole.
    [[nodiscard]] const ReplyHead& head() const { return head_; }
    /// After complete(): the connection can be used again.
    [[nodiscard]] bool keeps_alive() const { return keeps_alive_; }

private:
    enum class State : std::uint8_t {
        head,
        length,
        chunk_size,
        chunk,
        chunk_end,
        trailer,
        until_close,
        complete
    };

    [[nodiscard]] Result<> head_line(std::string_view line);
    [[nodiscard]] Result<> status_line(std::string_view line);
    [[nodiscard]] Result<> end_of_head();
    [[nodiscard]] Result<> chunk_size_line(std::string_view line);
    [[nodiscard]] Result<> take_line(std::string_view& input);
    void take_body(std::string_view& input, const Body& body);

    State state_ = State::head;
    std::string line_;  // begun, not ended; <= line_max
    std::size_t head_bytes_ = 0;
    ReplyHead head_;
    std::uint64_t left_ = 0;  // of the body or the chunk
    bool keeps_alive_ = true;
};

}  // namespace smsrack::wire
