#include "src/pdu/alphabet/utf8.hpp"

#include <array>

namespace smsrack::pdu {
namespace {

struct Lead {
    std::uint8_t octets;  // of the whole sequence
    std::uint8_t bits;    // of the value in the lead octet
    char32_t smallest;    // below it the form is overlong
};

constexpr Lead lead_of(std::uint8_t octet) {
    if (octet >= 0xC2 && octet <= 0xDF) {
        return {2, 0x1F, 0x80};
    }
    if (octet >= 0xE0 && octet <= 0xEF) {
        return {3, 0x0F, 0x800};
    }
    if (octet >= 0xF0 && octet <= 0xF4) {
        return {4, 0x07, 0x10000};
    }
    return {0, 0, 0};
}

constexpr bool is_surrogate(char32_t value) {
    return value >= 0xD800 && value <= 0xDFFF;
}

constexpr char tail(char32_t bits) {
    return static_cast<char>(0x80U | (bits & 0x3FU));
}

}  // namespace

CodePoint long_code_point_at(std::string_view text, std::size_t at) {
    const auto first = static_cast<std::uint8_t>(text[at]);
    const Lead lead = lead_of(first);
    if (lead.octets == 0 || text.size() - at < lead.octets) {
        return {};
    }
    char32_t value = first & lead.bits;
    for (std::size_t i = 1; i < lead.octets; ++i) {
        const auto octet = static_cast<std::uint8_t>(text[at + i]);
        if ((octet & 0xC0U) != 0x80) {
            return {};
        }
        value = (value << 6U) | (octet & 0x3FU);
    }
    if (value < lead.smallest || value > 0x10FFFF || is_surrogate(value)) {
        return {};
    }
    return {value, lead.octets};
}

char* put_utf8(char* out, char32_t character) {
    if (character < 0x80) {
        *out++ = static_cast<char>(character);
        return out;
    }
    if (character < 0x800) {
        *out++ = static_cast<char>(0xC0U | (character >> 6U));
    } else {
        if (character < 0x10000) {
            *out++ = static_cast<char>(0xE0U | (character >> 12U));
        } else {
            *out++ = static_cast<char>(0xF0U | (character >> 18U));
            *out++ = tail(character >> 12U);
        }
        *out++ = tail(character >> 6U);
    }
    *out++ = tail(character);
    return out;
}

}  // namespace smsrack::pdu
