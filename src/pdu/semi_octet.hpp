/// Semi-octets: two digits in an octet, the first in the low half.
///
/// Source:  3GPP TS 23.040 9.1.2.3.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace smsrack::pdu {

/// In order of their value; the fifteenth is the filler of an odd number.
inline constexpr std::string_view semi_octet_digits = "0123456789*#abcf";
inline constexpr std::uint8_t semi_octet_filler = 0x0F;

[[nodiscard]] constexpr std::uint8_t first_half(std::uint8_t octet) {
    return octet & 0x0FU;
}

[[nodiscard]] constexpr std::uint8_t second_half(std::uint8_t octet) {
    return octet >> 4U;
}

/// The value of one of "0123456789*#abc"; the filler is no digit.
[[nodiscard]] constexpr std::optional<std::uint8_t> semi_octet_of(char digit) {
    const auto at = semi_octet_digits.substr(0, semi_octet_filler).find(digit);
    return at == std::string_view::npos ? std::nullopt
                                        : std::optional(static_cast<std::uint8_t>(at));
}

/// Two decimal digits as in time stamps; nothing when one is above 9.
[[nodiscard]] constexpr std::optional<std::uint8_t> decimal_of(std::uint8_t octet) {
    if (first_half(octet) > 9 || second_half(octet) > 9) {
        return std::nullopt;
    }
    return static_cast<std::uint8_t>(first_half(octet) * 10 + second_half(octet));
}

/// And back; `number` below 100.
[[nodiscard]] constexpr std::uint8_t decimal_octet(unsigned number) {
    return static_cast<std::uint8_t>(((number % 10) << 4U) | (number / 10));
}

}  // namespace smsrack::pdu
