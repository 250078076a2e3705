#include "src/smpp/short_text.hpp"

#include "src/base/utf8.hpp"
#include "src/pdu/alphabet/gsm7.hpp"

#include <optional>

namespace smsrack::smpp {
namespace {

constexpr std::uint8_t default_alphabet = 0;
constexpr std::uint8_t utf16 = 8;

/// `instead` of each character that the alphabet can't say; without it nullopt.
std::optional<std::string> septets_of(std::string_view text, std::optional<char> instead) {
    constexpr char escape = 0x1B;
    const pdu::Gsm7Tables tables = pdu::gsm7_tables({});
    std::string out;
    while (!text.empty()) {
        const Utf8Step step = next_character(text);
        pdu::Gsm7Code code = pdu::gsm7_code(step.character, tables);
        if (code.septets == 0 && !instead) {
            return std::nullopt;
        }
        if (code.septets == 0) {
            code = {.septets = 1, .code = static_cast<std::uint8_t>(*instead)};
        }
        if (code.septets == 2) {
            out += escape;
        }
        out += static_cast<char>(code.code);
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

ShortText short_text(std::string_view utf8) {
    if (auto septets = septets_of(utf8, std::nullopt)) {
        return {.data_coding = default_alphabet, .octets = *std::move(septets)};
    }
    return {.data_coding = utf16, .octets = utf16_of(utf8)};
}

std::string default_octets(std::string_view utf8) {
    return *septets_of(utf8, '?');
}

}  // namespace smsrack::smpp
