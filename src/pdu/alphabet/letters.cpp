#include "src/pdu/alphabet/letters.hpp"

#include "src/pdu/alphabet/utf8.hpp"

#include <algorithm>
#include <array>

namespace smsrack::pdu {
namespace {

/// Capitals whose small letter is `by` code points further on.
struct Capitals {
    char32_t first;
    char32_t last;
    char32_t by;
};

constexpr std::array capitals{
    Capitals{U'A', U'Z', 32},     Capitals{0x00C0, 0x00D6, 32},  // Latin-1
    Capitals{0x00D8, 0x00DE, 32}, Capitals{0x0391, 0x03A9, 32},  // Greek
    Capitals{0x0400, 0x040F, 80}, Capitals{0x0410, 0x042F, 32},  // Cyrillic
};

/// Latin Extended-A: capital and small letter take turns, from even to odd but for two stretches.
char32_t small_extended(char32_t c) {
    const bool odd_capitals = (c >= 0x0139 && c <= 0x0148) || (c >= 0x0179 && c <= 0x017E);
    return (c % 2 == 1) == odd_capitals ? c + 1 : c;
}

}  // namespace

char32_t small_letter(char32_t c) {
    for (const Capitals& range : capitals) {
        if (c >= range.first && c <= range.last) {
            return c + range.by;
        }
    }
    constexpr char32_t dotted_capital_i = 0x0130;
    constexpr char32_t kra = 0x0138;  // has no capital
    constexpr char32_t capital_y_diaeresis = 0x0178;
    constexpr char32_t long_s = 0x017F;
    switch (c) {
        case dotted_capital_i:
            return U'i';
        case capital_y_diaeresis:
            return 0x00FF;
        case kra:
            return c;
        default:
            return c >= 0x0100 && c < long_s ? small_extended(c) : c;
    }
}

bool is_blank(char32_t c) {
    constexpr char32_t first_other = 0x00A0;  // below it they are most of what is asked about
    if (c < first_other) {
        return c <= U' ';
    }
    constexpr std::u32string_view others =
        U"\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u2028"
        U"\u2029"
        U"\u202F\u205F\u3000\u200B\u200C\u200D\u200E\u200F\u2060\uFEFF";  // and those without a width
    return others.contains(c);
}

std::string compared_text(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    bool after_blank = false;
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint point = code_point_at(text, at);
        at += std::max<std::size_t>(point.octets, 1);
        const char32_t c = point.octets == 0 ? replacement_character : point.value;
        const bool blank = is_blank(c);
        if (blank && after_blank) {
            continue;
        }
        after_blank = blank;
        std::array<char, 4> octets{};
        const char* const end = put_utf8(octets.data(), blank ? U' ' : small_letter(c));
        out.append(octets.data(), static_cast<std::size_t>(end - octets.data()));
    }
    return out;
}

}  // namespace smsrack::pdu
