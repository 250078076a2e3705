/// Octets as hexadecimal digits, as AT dialogues contain them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace smsrack::modem_sim {

[[nodiscard]] std::string to_hex(std::string_view octets);

/// Nullopt if a digit is wrong or one is left over. Both cases of letters are taken.
[[nodiscard]] std::optional<std::string> from_hex(std::string_view digits);

}  // namespace smsrack::modem_sim
