/// UCS-2 user data, which in the field is UTF-16BE with surrogate pairs.
///
/// Unit:    code units of two octets; a character outside the Basic Multilingual Plane is two of
///          them.
/// Source:  3GPP TS 23.038 6.2.3.
#pragma once

#include "src/pdu/octets.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace smsrack::pdu {

/// Room for the UTF-8 of `octets` octets of UTF-16BE, whatever they are.
[[nodiscard]] constexpr std::size_t ucs2_utf8_max(std::size_t octets) {
    return (octets + 1) / 2 * 3;
}

/// Writes the text; gives the place behind. A lone surrogate or an odd last octet is U+FFFD.
[[nodiscard]] char* put_ucs2_text(char* out, Octets units);

/// The same, into a string: for texts joined from segments.
[[nodiscard]] std::string ucs2_text(Octets units);

[[nodiscard]] constexpr std::size_t ucs2_units(char32_t character) {
    return character < 0x10000 ? 1 : 2;
}

/// Writes one or two units; gives the place behind. `character` is no surrogate.
[[nodiscard]] std::uint8_t* put_ucs2(std::uint8_t* out, char32_t character);

}  // namespace smsrack::pdu
