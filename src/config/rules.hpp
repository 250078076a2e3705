/// Checks one value against its Rule.
///
/// Errors:  the answer says in words what was expected; nullopt if the value is valid. It never
///          quotes the value.
#pragma once

#include "src/config/field.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace smsrack::config {

[[nodiscard]] std::optional<std::string> broken_rule(const Rule& rule, std::int64_t value);
[[nodiscard]] std::optional<std::string> broken_rule(const Rule& rule, double value);
[[nodiscard]] std::optional<std::string> broken_rule(const Rule& rule, std::string_view value);

/// "0660" -> 0660; nullopt if it is not three or four octal digits.
[[nodiscard]] std::optional<std::uint32_t> file_mode_of(std::string_view text);

/// The word of `words` that `wrong` is most like, if it is near enough to be meant.
[[nodiscard]] std::optional<std::string_view> near_miss(std::string_view wrong,
                                                        std::span<const std::string_view> words);

}  // namespace smsrack::config
