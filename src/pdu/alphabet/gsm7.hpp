/// GSM 7-bit text: packs septets into octets and converts characters to septets, both ways.
///
/// Unit:    septets; a bit place counts from bit 0 of the first octet (the least significant bit
///          goes first).
/// Source:  3GPP TS 23.038 6.1.2.1 (packing), 6.2.1 (alphabet, escape).
#pragma once

#include "src/pdu/alphabet/gsm7_tables.hpp"
#include "src/pdu/octets.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace smsrack::pdu {

inline constexpr std::size_t septets_max = 160;  ///< in the 140 octets of one TP-UD

[[nodiscard]] constexpr std::size_t octets_of_septets(std::size_t septets) {
    return (septets * 7 + 7) / 8;
}

/// The first whole septet after n octets of header.
[[nodiscard]] constexpr std::size_t septets_of_header(std::size_t octets) {
    return (octets * 8 + 6) / 7;
}

using Septets = std::array<std::uint8_t, septets_max>;

/// Reads `count` septets from septet number `first` on. They must lie within `packed`, which has at
/// most 140 octets.
void unpack_septets(Octets packed, std::size_t first, std::size_t count, Septets& out);

/// Writes `septets` behind `first` septets' room. The octets that it writes into were zero before.
void pack_septets(std::span<const std::uint8_t> septets, std::size_t first,
                  std::span<std::uint8_t> out);

/// Room that any text of `septets_max` septets fits in: no character takes more than 3 octets of
/// UTF-8.
inline constexpr std::size_t gsm7_utf8_max = septets_max * 3;

/// Writes the text of the septets to `out` (3 octets of room for each); gives the place behind.
/// Nothing is stripped.
[[nodiscard]] char* put_gsm7_text(char* out, std::span<const std::uint8_t> septets,
                                  Gsm7Tables tables);

/// How one character is said.
struct Gsm7Code {
    std::uint8_t septets = 0;  ///< 0: not in these tables; 2: an escape comes first
    std::uint8_t code = 0;
};

[[nodiscard]] inline Gsm7Code gsm7_code(char32_t character, Gsm7Tables tables) {
    if (const std::uint8_t code = tables.main->code_of(character); code != no_code) {
        return {1, code};
    }
    if (const std::uint8_t code = tables.shift->code_of(character); code != no_code) {
        return {2, code};
    }
    return {};
}

}  // namespace smsrack::pdu
