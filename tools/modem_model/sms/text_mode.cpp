#include "tools/modem_model/sms/text_mode.hpp"

#include "tools/modem_model/at_syntax.hpp"
#include "tools/modem_model/sms/hex.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace smsrack::modem_sim {
namespace {

constexpr int international = 145;
constexpr unsigned default_validity = 167;  // one day
constexpr unsigned default_first_octet = 0x11;
constexpr std::array<std::string_view, 5> status_words{"REC UNREAD", "REC READ", "STO UNSENT",
                                                       "STO SENT", "ALL"};

unsigned octet_at(std::string_view octets, std::size_t at) {
    return static_cast<unsigned char>(octets[at]);
}

char octet(int value) {
    return static_cast<char>(value);
}

/// One septet in each char.
std::string unpack(std::string_view octets, std::size_t count) {
    std::string septets;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t bit = i * 7;
        const unsigned low = octet_at(octets, bit / 8);
        const unsigned high = bit / 8 + 1 < octets.size() ? octet_at(octets, bit / 8 + 1) : 0;
        septets += static_cast<char>(((high << 8U | low) >> (bit % 8)) & 0x7FU);
    }
    return septets;
}

/// "26/11/21,18:00:00+00" of a TP-SCTS.
std::string time_words(std::string_view scts) {
    std::string digits;
    for (const char each : scts) {
        const unsigned value = static_cast<unsigned char>(each);
        digits += static_cast<char>('0' + (value & 0x0FU));
        digits += static_cast<char>('0' + (value >> 4U));
    }
    return fmt::format("{}/{}/{},{}:{}:{}+{}", digits.substr(0, 2), digits.substr(2, 2),
                       digits.substr(4, 2), digits.substr(6, 2), digits.substr(8, 2),
                       digits.substr(10, 2), digits.substr(12, 2));
}

struct Plain {
    std::string number;
    std::string time;  ///< empty: it is one of ours, not sent yet
    std::string text;
};

/// Nullopt if it is not plain text of the default alphabet.
std::optional<Plain> read_plain(const StoredSms& sms) {
    const std::string_view tpdu =
        std::string_view(sms.pdu).substr(sms.pdu.size() - sms.tpdu_length);
    const unsigned first = octet_at(tpdu, 0);
    const bool deliver = (first & 0x03U) == 0x00;
    const bool submit = (first & 0x03U) == 0x01;
    const bool header = (first & 0x40U) != 0;
    const std::size_t address_at = deliver ? 1 : 2;
    if ((!deliver && !submit) || header || tpdu.size() < address_at + 2) {
        return std::nullopt;
    }
    const std::size_t address_size = 2 + (octet_at(tpdu, address_at) + 1) / 2;
    const unsigned validity_format = (first >> 3U) & 0x03U;
    const std::size_t time_size = deliver                ? 7
                                  : validity_format == 0 ? 0
                                  : validity_format == 2 ? 1
                                                         : 7;
    const std::size_t dcs_at = address_at + address_size + 1;
    const std::size_t length_at = dcs_at + 1 + time_size;
    if (length_at >= tpdu.size() || octet_at(tpdu, dcs_at) != 0) {
        return std::nullopt;
    }
    const std::size_t septets = octet_at(tpdu, length_at);
    const std::string_view user_data = tpdu.substr(length_at + 1);
    if (user_data.size() < (septets * 7 + 7) / 8) {
        return std::nullopt;
    }
    return Plain{.number = number_of_field(tpdu.substr(address_at, address_size)),
                 .time = deliver ? time_words(tpdu.substr(dcs_at + 1, 7)) : std::string(),
                 .text = unpack(user_data, septets)};
}

}  // namespace

std::optional<std::string> typed_number(std::string_view number, int type) {
    const std::string_view digits = number.substr(number.starts_with('+') ? 1 : 0);
    constexpr std::size_t digits_max = 20;
    if (digits.empty() || digits.size() > digits_max ||
        digits.find_first_not_of("0123456789*#") != std::string_view::npos) {
        return std::nullopt;
    }
    const bool has_plus = number.starts_with('+') || type == international;
    return (has_plus ? "+" : "") + std::string(digits);
}

std::optional<NetworkPdu> submit_of(std::string_view number, std::string_view text,
                                    std::string_view csmp) {
    const AtArguments set(csmp);
    const int first = set.number_or(0, default_first_octet).value_or(default_first_octet);
    const int validity = set.number_or(1, default_validity).value_or(default_validity);
    const int pid = set.number_or(2, 0).value_or(0);
    const int dcs = set.number_or(3, 0).value_or(0);
    const int validity_format = (first >> 3) & 0x03;
    const bool plain = std::ranges::all_of(
        text, [](char each) { return static_cast<unsigned char>(each) < 0x80; });
    if (!plain || text.size() > text_septets_max || dcs != 0 || (first & 0x43) != 0x01 ||
        (validity_format != 0 && validity_format != 2)) {
        return std::nullopt;
    }
    std::string tpdu{octet(first), '\0'};
    tpdu += address_field(number);
    tpdu += octet(pid);
    tpdu += octet(dcs);
    if (validity_format == 2) {
        tpdu += octet(validity);
    }
    tpdu += octet(static_cast<int>(text.size()));
    tpdu += pack_septets(text);
    return NetworkPdu{.octets = std::string(1, '\0') + tpdu, .tpdu_length = tpdu.size()};
}

std::string_view status_word(SmsStatus status) {
    return status_words.at(static_cast<std::size_t>(status));
}

std::optional<int> status_of_word(std::string_view word) {
    const auto* const found = std::ranges::find(status_words, word);
    return found == status_words.end()
               ? std::nullopt
               : std::optional(static_cast<int>(found - status_words.begin()));
}

std::string text_form(const StoredSms& sms) {
    const auto plain = read_plain(sms);
    if (!plain) {
        return fmt::format("\"{}\",\"\",,\r\n{}", status_word(sms.status), to_hex(sms.pdu));
    }
    return fmt::format("\"{}\",\"{}\",,{}\r\n{}", status_word(sms.status), plain->number,
                       plain->time.empty() ? "" : "\"" + plain->time + "\"", plain->text);
}

}  // namespace smsrack::modem_sim
