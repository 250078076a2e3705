/// Encodes the text of inbound messages as user data: GSM 7-bit if possible, else UCS-2, in
/// segments with an 8-bit reference.
///
/// Errors:  none; what is no valid UTF-8 becomes "?".
/// Source:  3GPP TS 23.038 6.1.2.1, 6.2.1; TS 23.040 9.2.3.24.1.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::modem_sim {

struct TextSegment {
    bool with_header = false;  ///< TP-UDHI
    std::uint8_t dcs = 0;
    std::uint8_t udl = 0;
    std::string user_data = {};  ///< TP-UD, header included
};

/// At most 255 segments; text beyond is cut off.
[[nodiscard]] std::vector<TextSegment> make_segments(std::string_view utf8, std::uint8_t reference);

/// Septets of one character: one, two with the escape, none where the default alphabet lacks it.
[[nodiscard]] std::string gsm7_of(char32_t character);

/// The character of one septet of the default alphabet (not of the extension).
[[nodiscard]] char32_t gsm7_character(std::uint8_t septet);

/// Septets (one in each char) packed, the first from bit `skip_bits` on.
[[nodiscard]] std::string pack_septets(std::string_view septets, unsigned skip_bits = 0);

}  // namespace smsrack::modem_sim
