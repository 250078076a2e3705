/// Reads JSON values strictly: of the right type and in range, or an error.
#pragma once

#include "src/wire/json.hpp"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

namespace smsrack::tools {

/// A whole number (1, not 1.0) within [low, high].
[[nodiscard]] std::optional<std::int64_t> number_in(const wire::Json& value, std::int64_t low,
                                                    std::int64_t high);

/// Puts a whole number within [0, high] into `out`; false, and `out` as it was, when it is none.
template <typename T>
[[nodiscard]] bool take_number(const wire::Json& value, std::int64_t high, T& out) {
    const auto number = number_in(value, 0, high);
    if (number) {
        out = static_cast<T>(*number);
    }
    return number.has_value();
}

[[nodiscard]] bool take_bool(const wire::Json& value, bool& out);

/// Hex digits of whole octets.
[[nodiscard]] std::optional<std::vector<std::uint8_t>> octets_in(const wire::Json& value);

[[nodiscard]] bool has_only(const wire::Json& object,
                            std::initializer_list<std::string_view> names);

/// An optional member of an inner object: absent and null leave `out` as it is.
template <typename T>
[[nodiscard]] bool take_inner(const wire::Json& object, const char* name, std::int64_t high,
                              T& out) {
    const auto found = object.find(name);
    return found == object.end() || found->is_null() || take_number(*found, high, out);
}

}  // namespace smsrack::tools
