#include "src/sms/event_filter.hpp"

#include <algorithm>

namespace smsrack {

bool matches(std::string_view pattern, std::string_view name) {
    return pattern == name ||
           (pattern.ends_with(".*") && name.starts_with(pattern.substr(0, pattern.size() - 1)));
}

bool EventFilter::wants_type(const Event& event) const {
    if (event.type == EventType::webhook_dead && event.detail.starts_with(webhook + " ")) {
        return false;
    }
    const std::string name = event_name(event);
    return std::ranges::any_of(patterns,
                               [&](const std::string& pattern) { return matches(pattern, name); });
}

}  // namespace smsrack
