#include "src/rules/opt_out_words.hpp"

#include "src/pdu/alphabet/letters.hpp"
#include "src/pdu/alphabet/utf8.hpp"

#include <algorithm>
#include <array>

namespace smsrack::rules {
namespace {

/// What people put around a single word.
bool is_mark(char32_t c) {
    return pdu::is_blank(c) ||
           std::u32string_view(U".,;:!?'\"()-*_«»‘’‚“”„‹›…–—¡¿。！").contains(c);
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
        if (pdu::is_blank(all[i])) {
            out += pdu::is_blank(all[i - 1]) ? "" : " ";
            continue;
        }
        std::array<char, 4> octets{};
        const char* const end = pdu::put_utf8(octets.data(), pdu::small_letter(all[i]));
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
