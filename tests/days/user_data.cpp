#include "tests/days/user_data.hpp"

#include "tools/modem_model/sms/sms_text.hpp"

#include <array>
#include <cstddef>

namespace smsrack::days {
namespace {

constexpr unsigned tp_udhi = 0x40;

/// One of the basic plane: others are not used here.
void append(std::string& utf8, char32_t character) {
    if (character < 0x80) {
        utf8 += static_cast<char>(character);
        return;
    }
    if (character < 0x800) {
        utf8 += static_cast<char>(0xC0 | character >> 6U);
    } else {
        utf8 += static_cast<char>(0xE0 | character >> 12U);
        utf8 += static_cast<char>(0x80 | (character >> 6U & 0x3FU));
    }
    utf8 += static_cast<char>(0x80 | (character & 0x3FU));
}

/// Elements 0 (a reference of one octet) and 8 (of two); false where there is none, or it is cut.
bool read_concatenation(std::string_view elements, Said& said) {
    while (elements.size() >= 2) {
        const auto length = static_cast<unsigned char>(elements[1]);
        const std::string_view value = elements.substr(2, length);
        const auto octet = [&](std::size_t at) { return static_cast<std::uint8_t>(value[at]); };
        if (value.size() < length) {
            return false;
        }
        if ((elements[0] == 0 && length == 3) || (elements[0] == 8 && length == 4)) {
            const std::size_t behind = length - 2U;
            said.reference =
                behind == 1 ? octet(0) : static_cast<std::uint16_t>(octet(0) << 8U | octet(1));
            said.parts = octet(behind);
            said.part = octet(behind + 1);
            return true;
        }
        elements.remove_prefix(2U + length);
    }
    return false;
}

/// Septets `from` to `end` of what is packed there.
std::string from_septets(std::string_view octets, std::size_t end, std::size_t from) {
    std::string text;
    for (std::size_t i = from; i < end; ++i) {
        const std::size_t bit = i * 7;
        const auto octet = [&](std::size_t at) {
            return at < octets.size() ? static_cast<unsigned char>(octets[at]) : 0U;
        };
        const unsigned two = octet(bit / 8) | octet(bit / 8 + 1) << 8U;
        append(text, modem_sim::gsm7_character(static_cast<std::uint8_t>(two >> bit % 8 & 0x7FU)));
    }
    return text;
}

std::string from_ucs2(std::string_view octets) {
    std::string text;
    for (std::size_t i = 0; i + 1 < octets.size(); i += 2) {
        append(text, static_cast<char32_t>(static_cast<unsigned char>(octets[i]) << 8U |
                                           static_cast<unsigned char>(octets[i + 1])));
    }
    return text;
}

}  // namespace

std::string user_data(std::string_view pdu) {
    static constexpr std::array<std::size_t, 4> validity_octets{0, 7, 1, 7};  // by TP-VPF
    const auto octet = [pdu](std::size_t at) {
        return at < pdu.size() ? static_cast<unsigned char>(pdu[at]) : 0U;
    };
    const std::size_t first = 1 + octet(0);
    const std::size_t digits = octet(first + 2);               // behind the first octet and TP-MR
    const std::size_t dcs = first + 4 + (digits + 1) / 2 + 1;  // behind TP-DA and TP-PID
    const std::size_t length = dcs + 1 + validity_octets.at(octet(first) >> 3U & 3U);
    return length < pdu.size() ? std::string(1, pdu[dcs]) + std::string(pdu.substr(length))
                               : std::string();
}

std::optional<Said> said(std::string_view pdu) {
    const std::string data = user_data(pdu);
    if (data.size() < 2) {
        return std::nullopt;
    }
    const auto first = static_cast<unsigned char>(pdu[1 + static_cast<unsigned char>(pdu[0])]);
    const bool with_header = (first & tp_udhi) != 0;
    const auto dcs = static_cast<unsigned char>(data[0]);
    const auto length = static_cast<unsigned char>(data[1]);
    const std::string_view octets = std::string_view(data).substr(2);
    Said said;
    std::size_t header = 0;  // octets
    if (with_header) {
        header = octets.empty() ? 0 : 1U + static_cast<unsigned char>(octets[0]);
        if (header > octets.size() || !read_concatenation(octets.substr(1, header - 1), said)) {
            return std::nullopt;
        }
    }
    switch (dcs >> 2U & 3U) {  // general data coding: class or none, not compressed
        case 0:
            said.text = from_septets(octets, length, (header * 8 + 6) / 7);
            return said;
        case 2:
            said.text = from_ucs2(octets.substr(header));
            return said;
        default:
            return std::nullopt;
    }
}

}  // namespace smsrack::days
