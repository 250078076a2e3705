/// Octets as hexadecimal digits, as they stand in AT dialogues.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace smsrack::sim {

[[nodiscard]] std::string to_hex(std::string_view octets);

/// Nothing where a digit is wrong or one is left over. Both cases of letters are taken.
[[nodiscard]] std::optional<std::string> from_hex(std::string_view digits);

}  // namespace smsrack::sim
