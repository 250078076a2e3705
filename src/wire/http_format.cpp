// The answering half of http1.hpp.
#include "src/wire/http1.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>

namespace smsrack::wire {
namespace {

struct StatusText {
    int status;
    std::string_view text;
};

constexpr int no_content = 204;  // RFC 9110 15.3.5, 8.6: without a body, its type and its length

constexpr std::array status_texts{
    StatusText{200, "OK"},
    StatusText{202, "Accepted"},
    StatusText{204, "No Content"},
    StatusText{400, "Bad Request"},
    StatusText{401, "Unauthorized"},
    StatusText{403, "Forbidden"},
    StatusText{404, "Not Found"},
    StatusText{405, "Method Not Allowed"},
    StatusText{408, "Request Timeout"},
    StatusText{409, "Conflict"},
    StatusText{413, "Content Too Large"},
    StatusText{415, "Unsupported Media Type"},
    StatusText{417, "Expectation Failed"},
    StatusText{429, "Too Many Requests"},
    StatusText{431, "Request Header Fields Too Large"},
    StatusText{500, "Internal Server Error"},
    StatusText{501, "Not Implemented"},
    StatusText{503, "Service Unavailable"},
    StatusText{505, "HTTP Version Not Supported"},
    StatusText{507, "Insufficient Storage"},
};

}  // namespace

std::string_view status_text(int status) {
    const auto* const row = std::ranges::find(status_texts, status, &StatusText::status);
    return row == status_texts.end() ? "Other" : row->text;
}

void append_head(std::string& out, const HttpResponse& response, Framing framing, bool keep_alive) {
    auto to = std::back_inserter(out);
    fmt::format_to(to, "HTTP/1.1 {} {}\r\n", response.status, status_text(response.status));
    const bool has_body = response.status != no_content;
    if (has_body) {
        fmt::format_to(to, "Content-Type: {}\r\n", response.content_type);
    }
    if (framing == Framing::length && has_body) {
        fmt::format_to(to, "Content-Length: {}\r\n", response.body.size());
    } else if (framing == Framing::chunked) {
        out += "Transfer-Encoding: chunked\r\n";
    }
    for (const HeaderField& field : response.headers) {
        fmt::format_to(to, "{}: {}\r\n", field.name, field.value);
    }
    if (!keep_alive) {
        out += "Connection: close\r\n";
    }
    out += "\r\n";
}

void append_chunk(std::string& out, std::string_view piece) {
    if (!piece.empty()) {
        fmt::format_to(std::back_inserter(out), "{:x}\r\n{}\r\n", piece.size(), piece);
    }
}

}  // namespace smsrack::wire
