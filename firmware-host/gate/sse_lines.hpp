/// The lines of a server-sent event, as the service writes them.
///
/// Source:  WHATWG HTML, "Server-sent events".
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>

namespace smsrack::gate {

inline constexpr std::string_view sse_event_end = "\n\n";

/// The rest of the line that begins so, such as "id: "; nullopt: there is none.
[[nodiscard]] inline std::optional<std::string_view> sse_line(std::string_view event,
                                                              std::string_view front) {
    while (!event.empty()) {
        const std::string_view line = event.substr(0, event.find('\n'));
        if (line.starts_with(front)) {
            return line.substr(front.size());
        }
        event.remove_prefix(std::min(line.size() + 1, event.size()));
    }
    return std::nullopt;
}

}  // namespace smsrack::gate
