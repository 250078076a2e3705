#include "src/pdu/alphabet/ussd_text.hpp"

#include "src/pdu/alphabet/gsm7.hpp"
#include "src/pdu/alphabet/ucs2.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <vector>

namespace smsrack::pdu {
namespace {

constexpr std::uint8_t ucs2_with_language = 0x11;  // its text begins with two octets of language
constexpr std::size_t language_octets = 2;

std::optional<std::vector<std::uint8_t>> octets_of_hex(std::string_view hex) {
    std::vector<std::uint8_t> octets;
    for (; hex.size() >= 2; hex.remove_prefix(2)) {
        std::uint8_t octet = 0;
        const auto [end, error] = std::from_chars(hex.data(), hex.data() + 2, octet, 16);
        if (error != std::errc() || end != hex.data() + 2) {
            return std::nullopt;
        }
        octets.push_back(octet);
    }
    return hex.empty() ? std::optional(std::move(octets)) : std::nullopt;
}

/// One septet in each octet.
std::string gsm7_text(std::span<const std::uint8_t> septets) {
    std::string text(septets.size() * 3, '\0');
    const char* const end = put_gsm7_text(text.data(), septets, gsm7_tables({}));
    text.resize(static_cast<std::size_t>(end - text.data()));
    return text;
}

bool is_septet(std::uint8_t octet) {
    return octet < 0x80;
}

}  // namespace

Alphabet cbs_alphabet(std::uint8_t dcs) {
    constexpr std::array by_bits{Alphabet::gsm7, Alphabet::data8, Alphabet::ucs2, Alphabet::gsm7};
    switch (dcs >> 4U) {
        case 0x1:
            return dcs == ucs2_with_language ? Alphabet::ucs2 : Alphabet::gsm7;
        case 0x4:
        case 0x5:
        case 0x6:
        case 0x7:
        case 0x9:
            return by_bits.at((dcs >> 2U) & 0x3U);
        case 0xF:
            return (dcs & 0x4U) != 0 ? Alphabet::data8 : Alphabet::gsm7;
        default:
            return Alphabet::gsm7;
    }
}

std::string ussd_text(std::string_view given, std::uint8_t dcs, bool hex) {
    const Alphabet alphabet = cbs_alphabet(dcs);
    if (!hex && alphabet != Alphabet::ucs2) {
        return std::string(given);
    }
    const auto octets = octets_of_hex(given);
    if (!octets) {
        return std::string(given);
    }
    switch (alphabet) {
        case Alphabet::gsm7:
            return std::ranges::all_of(*octets, is_septet) ? gsm7_text(*octets)
                                                           : std::string(given);
        case Alphabet::ucs2: {
            const std::size_t skipped =
                dcs == ucs2_with_language ? std::min(language_octets, octets->size()) : 0;
            return ucs2_text(Octets(*octets).subspan(skipped));
        }
        case Alphabet::data8:
            break;
    }
    return std::string(given);
}

}  // namespace smsrack::pdu
