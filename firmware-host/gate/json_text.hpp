/// A text out of what the service says.
#pragma once

#include "src/wire/json.hpp"

#include <string>

namespace smsrack::gate {

/// Of the object `json`; empty: it has no such member, or that is no text.
[[nodiscard]] inline std::string text_at(const wire::Json& json, const char* name) {
    const auto found = json.find(name);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace smsrack::gate
