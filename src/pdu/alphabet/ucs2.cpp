#include "src/pdu/alphabet/ucs2.hpp"

#include "src/pdu/alphabet/utf8.hpp"

namespace smsrack::pdu {
namespace {

char32_t unit_at(Octets units, std::size_t at) {
    return static_cast<char32_t>((units[at] << 8U) | units[at + 1]);
}

constexpr bool is_high(char32_t unit) {
    return unit >= 0xD800 && unit <= 0xDBFF;
}

constexpr bool is_low(char32_t unit) {
    return unit >= 0xDC00 && unit <= 0xDFFF;
}

std::uint8_t* put_unit(std::uint8_t* out, char32_t unit) {
    *out++ = static_cast<std::uint8_t>(unit >> 8U);
    *out++ = static_cast<std::uint8_t>(unit);
    return out;
}

}  // namespace

char* put_ucs2_text(char* out, Octets units) {
    std::size_t at = 0;
    for (; at + 2 <= units.size(); at += 2) {
        const char32_t unit = unit_at(units, at);
        if (is_high(unit) && at + 4 <= units.size() && is_low(unit_at(units, at + 2))) {
            at += 2;
            out = put_utf8(out, 0x10000 + ((unit - 0xD800) << 10U) + (unit_at(units, at) - 0xDC00));
        } else {
            out = put_utf8(out, is_high(unit) || is_low(unit) ? replacement_character : unit);
        }
    }
    return at < units.size() ? put_utf8(out, replacement_character) : out;
}

std::string ucs2_text(Octets units) {
    std::string text(ucs2_utf8_max(units.size()), '\0');
    const char* const end = put_ucs2_text(text.data(), units);
    text.resize(static_cast<std::size_t>(end - text.data()));
    return text;
}

std::uint8_t* put_ucs2(std::uint8_t* out, char32_t character) {
    if (character < 0x10000) {
        return put_unit(out, character);
    }
    const char32_t above = character - 0x10000;
    return put_unit(put_unit(out, 0xD800 + (above >> 10U)), 0xDC00 + (above & 0x3FFU));
}

}  // namespace smsrack::pdu
