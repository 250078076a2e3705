/// Formats Server-Sent Events.
///
/// Source:  WHATWG HTML, "Server-sent events".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace smsrack::wire {

/// A comment: keeps the connection alive and is no event.
inline constexpr std::string_view sse_comment = ":\n\n";

/// `data` is one line (JSON without line ends is).
void append_sse_event(std::string& out, std::string_view name, std::int64_t id,
                      std::string_view data);

}  // namespace smsrack::wire
