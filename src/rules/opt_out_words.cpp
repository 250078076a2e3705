#include "src/rules/opt_out_words.hpp"

#include "src/pdu/alphabet/utf8.hpp"

#include <algorithm>
#include <array>

namespace smsrack::rules {
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

char32_t small(char32_t c) {
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

/// What people put around a single word.
bool is_mark(char32_t c) {
    return is_blank(c) || std::u32string_view(U".,;:!?'\"()-*_«»‘’‚“”„‹›…–—¡¿。！").contains(c);
}

/// Those that begin and end within the first n octets.
std::u32string characters_of(std::string_view text, std::size_t octets_max) {
    std::u32string characters;
    for (std::size_t at = 0; at < text.size();) {
        const pdu::CodePoint point = pdu::code_point_at(text, at);
        if (at + std::max<std::size_t>(point.octets, 1) > octets_max) {
            break;
        }
        characters += point.octets == 0 ? pdu::replacement_character : point.value;
        at += point.octets == 0 ? 1 : point.octets;
    }
    return characters;
}

std::set<std::string> all_folded(const std::vector<std::string>& words) {
    std::set<std::string> all;
    for (const std::string& word : words) {
        all.insert(folded(word));
    }
    all.erase("");
    return all;
}

}  // namespace

std::string folded(std::string_view text) {
    constexpr std::size_t octets_max = 256;  // no word is that long
    const std::u32string all = characters_of(text, octets_max);
    std::size_t first = 0;
    std::size_t last = all.size();
    while (first < last && is_mark(all[first])) {
        ++first;
    }
    while (last > first && is_mark(all[last - 1])) {
        --last;
    }
    std::string out;
    for (std::size_t i = first; i < last; ++i) {
        if (is_blank(all[i])) {
            out += is_blank(all[i - 1]) ? "" : " ";
            continue;
        }
        std::array<char, 4> octets{};
        const char* const end = pdu::put_utf8(octets.data(), small(all[i]));
        out.append(octets.data(), static_cast<std::size_t>(end - octets.data()));
    }
    return out;
}

OptOutWords::OptOutWords(const std::vector<std::string>& stop,
                         const std::vector<std::string>& start)
    : stop_(all_folded(stop)), start_(all_folded(start)) {}

ports::OptOutWish OptOutWords::wish_of(std::string_view text) const {
    const std::string word = folded(text);
    return stop_.contains(word)    ? ports::OptOutWish::stop
           : start_.contains(word) ? ports::OptOutWish::start
                                   : ports::OptOutWish::none;
}

}  // namespace smsrack::rules
