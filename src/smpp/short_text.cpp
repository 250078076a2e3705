#include "src/smpp/short_text.hpp"

#include "src/base/utf8.hpp"
#include "src/pdu/alphabet/gsm7.hpp"

#include <optional>

namespace smsrack::smpp {
namespace {

constexpr std::uint8_t default_alphabet = 0;
constexpr std::uint8_t utf16 = 8;

/// False: the coding can't say it.
bool put_character(std::string& out, std::string_view character, char32_t code, Coding coding) {
    constexpr char escape = 0x1B;
    constexpr char32_t latin1_max = 0xFF;
    constexpr char32_t ascii_max = 0x7E;
    if (coding == Coding::utf8) {
        out += character;
        return true;
    }
    if (coding != Coding::gsm7) {
        out += static_cast<char>(code);
        return code <= (coding == Coding::latin1 ? latin1_max : ascii_max);
    }
    const pdu::Gsm7Code septet = pdu::gsm7_code(code, pdu::gsm7_tables({}));
    if (septet.septets == 2) {
        out += escape;
    }
    out += static_cast<char>(septet.code);
    return septet.septets > 0;
}

/// `instead` of each character that the coding can't say; without it nullopt.
std::optional<std::string> octets_of(std::string_view text, Coding coding,
                                     std::optional<char> instead) {
    std::string out;
    while (!text.empty()) {
        const Utf8Step step = next_character(text);
        const std::size_t before = out.size();
        if (!put_character(out, step.valid ? text.substr(0, step.octets) : "\xEF\xBF\xBD",
                           step.character, coding)) {
            if (!instead) {
                return std::nullopt;
            }
            out.resize(before);
            out += *instead;
        }
        text.remove_prefix(step.octets);
    }
    return out;
}

void put_unit(std::string& out, unsigned unit) {
    out += static_cast<char>(unit >> 8U & 0xFFU);
    out += static_cast<char>(unit & 0xFFU);
}

std::string utf16_of(std::string_view text) {
    constexpr char32_t beyond = 0x1'0000;
    std::string out;
    while (!text.empty()) {
        const Utf8Step step = next_character(text);
        if (step.character < beyond) {
            put_unit(out, step.character);
        } else {
            const char32_t rest = step.character - beyond;
            put_unit(out, 0xD800U + (rest >> 10U));
            put_unit(out, 0xDC00U + (rest & 0x3FFU));
        }
        text.remove_prefix(step.octets);
    }
    return out;
}

}  // namespace

ShortText short_text(std::string_view utf8, Coding by_default) {
    if (auto octets = octets_of(utf8, by_default, std::nullopt)) {
        return {.data_coding = default_alphabet, .octets = *std::move(octets)};
    }
    return {.data_coding = utf16, .octets = utf16_of(utf8)};
}

std::string default_octets(std::string_view utf8, Coding by_default) {
    return *octets_of(utf8, by_default, '?');
}

std::string ascii_octets(std::string_view utf8) {
    return *octets_of(utf8, Coding::ascii, '?');
}

}  // namespace smsrack::smpp
