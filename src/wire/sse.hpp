/// Formats Server-Sent Events.
///
/// Source:  WHATWG HTML, "Server-sent events".
#pragma once

#include "src/base/check.hpp"

#include <cstdint>
#include <fmt/format.h>
#include <iterator>
#include <string>
#include <string_view>

namespace smsrack::wire {

/// A comment: keeps the connection alive and is no event.
inline constexpr std::string_view sse_comment = ":\n\n";

/// `data` is one line (JSON without line ends is).
inline void append_sse_event(std::string& out, std::string_view name, std::int64_t id,
                             std::string_view data) {
    SMSRACK_CHECK(data.find_first_of("\r\n") == std::string_view::npos);
    fmt::format_to(std::back_inserter(out), "event: {}\nid: {}\ndata: {}\n\n", name, id, data);
}

}  // namespace smsrack::wire
