#include "tools/modem_model/sms/sms_text.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace smsrack::modem_sim {
namespace {

constexpr std::u32string_view default_alphabet =
    U"@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001BÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?"
    U"¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";
static_assert(default_alphabet.size() == 128);

constexpr std::array<std::pair<char32_t, char>, 10> extension{{
    {U'\f', 0x0A},
    {U'^', 0x14},
    {U'{', 0x28},
    {U'}', 0x29},
    {U'\\', 0x2F},
    {U'[', 0x3C},
    {U'~', 0x3D},
    {U']', 0x3E},
    {U'|', 0x40},
    {U'€', 0x65},
}};

constexpr char escape = 0x1B;
constexpr unsigned header_octets = 6;  // UDHL, IEI 0, 3, reference, segments, segment
constexpr unsigned header_septets = 7;

/// One character from the front of `utf8`, which gets shorter.
char32_t take_character(std::string_view& utf8) {
    const auto first = static_cast<unsigned char>(utf8.front());
    const unsigned size = first < 0x80   ? 1
                          : first < 0xC2 ? 0
                          : first < 0xE0 ? 2
                          : first < 0xF0 ? 3
                          : first < 0xF5 ? 4
                                         : 0;
    char32_t character = size == 1 ? first : first & (0xFFU >> (size + 1));
    bool valid = size != 0 && size <= utf8.size();
    for (unsigned i = 1; valid && i < size; ++i) {
        const auto next = static_cast<unsigned char>(utf8[i]);
        valid = (next & 0xC0U) == 0x80;
        character = (character << 6U) | (next & 0x3FU);
    }
    utf8.remove_prefix(valid ? size : 1);
    return valid ? character : U'?';
}

std::string ucs2_of(char32_t character) {
    const auto unit = [](char32_t value) {
        return std::string{static_cast<char>(value >> 8U), static_cast<char>(value & 0xFFU)};
    };
    if (character < 0x10000) {
        return unit(character);
    }
    const char32_t rest = character - 0x10000;
    return unit(0xD800 + (rest >> 10U)) + unit(0xDC00 + (rest & 0x3FFU));
}

/// Fills segments of `room` without cutting what belongs together.
std::vector<std::string> cut(const std::vector<std::string>& pieces, std::size_t room) {
    std::vector<std::string> parts(1);
    for (const std::string& piece : pieces) {
        if (parts.back().size() + piece.size() > room) {
            parts.emplace_back();
        }
        parts.back() += piece;
    }
    if (parts.size() > 255) {
        parts.resize(255);
    }
    return parts;
}

std::size_t total_size(const std::vector<std::string>& pieces) {
    std::size_t size = 0;
    for (const std::string& piece : pieces) {
        size += piece.size();
    }
    return size;
}

struct Coding {
    std::uint8_t dcs;
    bool septets;
    std::size_t room_alone;
    std::size_t room_in_parts;
};
constexpr Coding gsm7{.dcs = 0x00, .septets = true, .room_alone = 160, .room_in_parts = 153};
constexpr Coding ucs2{.dcs = 0x08, .septets = false, .room_alone = 140, .room_in_parts = 134};

TextSegment segment_of(const std::string& part, const std::string& header, const Coding& coding) {
    const bool with_header = !header.empty();
    TextSegment segment{.with_header = with_header, .dcs = coding.dcs};
    if (coding.septets) {
        segment.udl = static_cast<std::uint8_t>(part.size() + (with_header ? header_septets : 0));
        // 6 octets of header and 1 fill bit are 7 septets.
        segment.user_data = header + pack_septets(part, with_header ? 1 : 0);
    } else {
        segment.udl = static_cast<std::uint8_t>(part.size() + (with_header ? header_octets : 0));
        segment.user_data = header + part;
    }
    return segment;
}

}  // namespace

std::string gsm7_of(char32_t character) {
    const auto found = default_alphabet.find(character);
    if (found != std::u32string_view::npos && character != static_cast<char32_t>(escape)) {
        return {static_cast<char>(found)};
    }
    const auto* extended =
        std::ranges::find(extension, character, &std::pair<char32_t, char>::first);
    return extended == extension.end() ? std::string{} : std::string{escape, extended->second};
}

char32_t gsm7_character(std::uint8_t septet) {
    return default_alphabet[septet & 0x7FU];
}

std::string pack_septets(std::string_view septets, unsigned skip_bits) {
    std::string octets((septets.size() * 7 + skip_bits + 7) / 8, '\0');
    std::size_t bit = skip_bits;
    for (const char septet : septets) {
        const unsigned wide = static_cast<unsigned>(septet & 0x7F) << (bit % 8);
        octets[bit / 8] =
            static_cast<char>(static_cast<unsigned char>(octets[bit / 8]) | (wide & 0xFFU));
        if (wide > 0xFF) {
            octets[bit / 8 + 1] = static_cast<char>(wide >> 8U);
        }
        bit += 7;
    }
    return octets;
}

std::vector<TextSegment> make_segments(std::string_view utf8, std::uint8_t reference) {
    std::vector<std::string> in_gsm7;
    std::vector<std::string> in_ucs2;
    bool fits_gsm7 = true;
    while (!utf8.empty()) {
        const char32_t character = take_character(utf8);
        in_gsm7.push_back(gsm7_of(character));
        in_ucs2.push_back(ucs2_of(character));
        fits_gsm7 = fits_gsm7 && !in_gsm7.back().empty();
    }
    const Coding& coding = fits_gsm7 ? gsm7 : ucs2;
    const auto& pieces = fits_gsm7 ? in_gsm7 : in_ucs2;
    const bool alone = total_size(pieces) <= coding.room_alone;
    const auto parts = cut(pieces, alone ? coding.room_alone : coding.room_in_parts);

    std::vector<TextSegment> segments;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::string header =
            alone ? std::string{} : std::string{5,
                                                0,
                                                3,
                                                static_cast<char>(reference),
                                                static_cast<char>(parts.size()),
                                                static_cast<char>(i + 1)};
        segments.push_back(segment_of(parts[i], header, coding));
    }
    return segments;
}

}  // namespace smsrack::modem_sim
