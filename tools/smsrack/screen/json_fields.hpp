/// Members of a JSON object as text for a table.
#pragma once

#include "src/wire/json.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::cli {

/// A text as it is, numbers and truths as they are written; empty where the member is absent, null
/// or a container.
[[nodiscard]] std::string text_of(const wire::Json& object, std::string_view member);

/// Of a value itself: the text, or empty where it is none.
[[nodiscard]] std::string text_of(const wire::Json& value);

/// The texts of an array, made printable.
[[nodiscard]] std::string joined_texts(const wire::Json& array, std::string_view separator);

/// Nullopt if it is no number.
[[nodiscard]] std::optional<double> number_of(const wire::Json& object, std::string_view member);

/// The number as a count; 0 where it is no number.
[[nodiscard]] std::uint64_t count_of(const wire::Json& object, std::string_view member);

[[nodiscard]] bool truth_of(const wire::Json& object, std::string_view member);

/// The array, or an empty one.
[[nodiscard]] const wire::Json& array_of(const wire::Json& object, std::string_view member);

/// The object, or an empty one.
[[nodiscard]] const wire::Json& object_of(const wire::Json& object, std::string_view member);

/// The value, or null where there is none. A text that is empty is none.
template <typename T>
[[nodiscard]] wire::Json or_null(const std::optional<T>& value) {
    return value ? wire::Json(*value) : wire::Json();
}
[[nodiscard]] wire::Json or_null(const std::string& text);

/// Compact, on one line; what is not UTF-8 (it can't be) is replaced.
[[nodiscard]] std::string json_line(const wire::Json& value);

}  // namespace smsrack::cli
