#include "src/smpp/coding.hpp"

#include "src/base/utf8.hpp"
#include "src/pdu/alphabet/dcs.hpp"
#include "src/pdu/alphabet/gsm7.hpp"
#include "src/pdu/alphabet/ucs2.hpp"
#include "src/pdu/alphabet/utf8.hpp"

#include <algorithm>

namespace smsrack::smpp {
namespace {

constexpr unsigned char septet_max = 0x7F;
constexpr char escape = 0x1B;

bool are_septets(std::string_view octets) {
    return std::ranges::all_of(
        octets, [](char octet) { return static_cast<unsigned char>(octet) <= septet_max; });
}

std::optional<std::string> gsm7_text(std::string_view octets) {
    if (!are_septets(octets) || octets.ends_with(escape)) {
        return std::nullopt;
    }
    constexpr std::size_t room = 3;  // a septet is at most three octets of UTF-8
    std::string text(octets.size() * room, '\0');
    const char* const end =
        pdu::put_gsm7_text(text.data(), pdu::octets_of(octets), pdu::gsm7_tables({}));
    text.resize(static_cast<std::size_t>(end - text.data()));
    return text;
}

std::string latin1_text(std::string_view octets) {
    constexpr std::size_t room = 2;
    std::string text(octets.size() * room, '\0');
    char* end = text.data();
    for (const char octet : octets) {
        end = pdu::put_utf8(end, static_cast<unsigned char>(octet));
    }
    text.resize(static_cast<std::size_t>(end - text.data()));
    return text;
}

/// Each half of a pair is with its other half.
bool are_whole_units(std::string_view octets) {
    constexpr unsigned mask = 0xFC, high = 0xD8, low = 0xDC;
    bool wants_low = false;
    for (std::size_t i = 0; i < octets.size(); i += 2) {
        const unsigned kind = static_cast<unsigned char>(octets[i]) & mask;
        if ((kind == low) != wants_low) {
            return false;
        }
        wants_low = kind == high;
    }
    return octets.size() % 2 == 0 && !wants_low;
}

bool is_whole_utf8(std::string_view text) {
    while (!text.empty()) {
        const Utf8Step step = next_character(text);
        if (!step.valid) {
            return false;
        }
        text.remove_prefix(step.octets);
    }
    return true;
}

}  // namespace

Coding coding_of(std::uint8_t data_coding, Coding of_0, Coding of_1) {
    constexpr std::uint8_t latin1 = 3, utf16 = 8, classes = 0x10, class_groups = 0xF0;
    switch (data_coding) {
        case 0:
            return of_0;
        case 1:
            return of_1;
        case latin1:
            return Coding::latin1;
        case utf16:
            return Coding::utf16;
        default:
            break;
    }
    const std::uint8_t group = data_coding & 0xF0U;
    if (group != classes && group != class_groups) {
        return Coding::octets;
    }
    switch (pdu::read_dcs(data_coding).alphabet) {
        case pdu::Alphabet::gsm7:
            return Coding::gsm7;
        case pdu::Alphabet::ucs2:
            return Coding::utf16;
        case pdu::Alphabet::data8:
            break;
    }
    return Coding::octets;
}

std::optional<std::string> text_of(std::string_view octets, Coding coding) {
    switch (coding) {
        case Coding::gsm7:
            return gsm7_text(octets);
        case Coding::ascii:
            return are_septets(octets) ? std::optional(std::string(octets)) : std::nullopt;
        case Coding::latin1:
            return latin1_text(octets);
        case Coding::utf16:
            return are_whole_units(octets) ? std::optional(pdu::ucs2_text(pdu::octets_of(octets)))
                                           : std::nullopt;
        case Coding::utf8:
            return is_whole_utf8(octets) ? std::optional(std::string(octets)) : std::nullopt;
        case Coding::octets:
            break;
    }
    return std::nullopt;
}

}  // namespace smsrack::smpp
