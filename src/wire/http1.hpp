/// Parses HTTP/1.1 requests from a stream of octets. It wraps llhttp, and is stricter.
///
/// Refused, each with the status to answer: any CR that is not followed by LF and any bare LF in
/// the head, folded header lines, NUL, a missing or second Host on 1.1, Transfer-Encoding other
/// than one "chunked" or together with Content-Length, trailers, heads beyond the limits.
///
/// Errors:  a refusal is final: the connection is answered and closed.
/// Source:  RFC 9112; the table of hostile input in tests/src/wire/http1_test.cpp.
#pragma once

#include "src/wire/http_head_scan.hpp"
#include "src/wire/http_message.hpp"
#include "src/wire/llhttp_door.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace smsrack::wire {

struct Http1Limits {
    /// Request line and headers: ours need less than 1 KiB.
    std::size_t head_bytes_max = 16UL * 1024;
    std::size_t headers_max = 64;
};

class Http1Parser {
public:
    enum class Step : std::uint8_t {
        need_more,  ///< all was taken, and more is needed
        head,       ///< head() is whole
        body,       ///< body() is a piece of the body
        complete,   ///< the message is whole; what is left of the input is the next one's
        refused,    ///< refusal() says why
    };
    struct Refusal {
        int status = 400;
        std::string_view reason = {};
    };

    explicit Http1Parser(Http1Limits limits) : limits_(limits) {}

    /// Takes octets from the front of `input` up to the next thing to report.
    [[nodiscard]] Step next(std::string_view& input);

    /// After head: to be moved from.
    [[nodiscard]] HttpRequest& head() { return llhttp_.request(); }
    /// After body: valid as long as the input.
    [[nodiscard]] std::string_view body() const { return llhttp_.body(); }
    [[nodiscard]] Refusal refusal() const { return refusal_; }
    /// After head: as Content-Length said; 0 for chunked.
    [[nodiscard]] std::uint64_t content_length() const { return llhttp_.head().content_length; }

    /// Within a body: octets that bring another parser to where this one is. The path says how many
    /// octets of body it then gives that are not of the body ("/0", "/1").
    [[nodiscard]] std::string octets_to_here() const;

    /// True between messages: not one octet of a head has come.
    [[nodiscard]] bool at_rest() const { return phase_ == Phase::head && scan_.at_rest(); }

private:
    enum class Phase : std::uint8_t { head, body, last_chunk, refused };

    [[nodiscard]] Step take_head(std::string_view& input);
    [[nodiscard]] Step parse_head(std::string_view text);
    [[nodiscard]] Step take_body(std::string_view& input);
    [[nodiscard]] Step take_last_chunk(std::string_view& input);
    [[nodiscard]] Step refuse(int status, std::string_view reason);

    const Http1Limits limits_;
    LlhttpDoor llhttp_;
    HeadScan scan_;
    Phase phase_ = Phase::head;
    Refusal refusal_;
    std::string held_head_;              // of a head that comes in pieces, <= head_bytes_max
    std::size_t last_chunk_octets_ = 0;  // read of the CRLF behind the last chunk
    std::string framing_;                // read since the last octet of the body, <= framing_max
    bool in_body_ = false;               // an octet of it has come
};

/// "Not Found" for 404.
[[nodiscard]] std::string_view status_text(int status);

/// "HTTP/1.1 200 OK\r\n..." with its empty line. `length`: Content-Length; streamed answers are
/// chunked.
enum class Framing : std::uint8_t { length, chunked, until_close };
void append_head(std::string& out, const HttpResponse& response, Framing framing, bool keep_alive);
void append_chunk(std::string& out, std::string_view piece);
inline constexpr std::string_view end_of_chunks = "0\r\n\r\n";
inline constexpr std::string_view continue_head = "HTTP/1.1 100 Continue\r\n\r\n";

}  // namespace smsrack::wire
