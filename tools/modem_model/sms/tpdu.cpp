#include "tools/modem_model/sms/tpdu.hpp"

#include <algorithm>
#include <chrono>

namespace smsrack::modem_sim {
namespace {

constexpr std::string_view digit_signs = "0123456789*#abc";  // 23.040 9.1.2.3; 0xF fills

unsigned octet_at(std::string_view octets, std::size_t at) {
    return static_cast<unsigned char>(octets[at]);
}

char octet(unsigned value) {
    return static_cast<char>(value);
}

std::string swapped_digits(std::string_view number) {
    std::string octets;
    for (std::size_t i = 0; i < number.size(); i += 2) {
        const auto low = digit_signs.find(number[i]);
        const auto high = i + 1 < number.size() ? digit_signs.find(number[i + 1]) : 0xFU;
        octets += octet(static_cast<unsigned>((high << 4U) | low));
    }
    return octets;
}

std::string service_centre_field() {
    const std::string digits = swapped_digits(service_centre.substr(1));
    return octet(static_cast<unsigned>(digits.size() + 1)) + std::string("\x91") + digits;
}

/// Octets of TP-UD for TP-UDL by the coding scheme (23.038 section 4): septets, or octets.
std::size_t user_data_size(unsigned dcs, std::size_t udl) {
    const bool general = (dcs & 0x80U) == 0;
    const bool octets = general ? (dcs & 0x20U) != 0 || (dcs & 0x0CU) != 0
                                : (dcs & 0xF0U) == 0xE0 || (dcs & 0xF4U) == 0xF4;
    return octets ? udl : (udl * 7 + 7) / 8;
}

NetworkPdu from_network(const std::string& tpdu) {
    return {.octets = service_centre_field() + tpdu, .tpdu_length = tpdu.size()};
}

}  // namespace

std::string time_stamp(WallTime at) {
    const auto day = std::chrono::floor<std::chrono::days>(at);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss time(std::chrono::floor<std::chrono::seconds>(at - day));
    std::string octets;
    for (const unsigned field :
         {static_cast<unsigned>(static_cast<int>(date.year()) % 100),
          static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
          static_cast<unsigned>(time.hours().count()),
          static_cast<unsigned>(time.minutes().count()),
          static_cast<unsigned>(time.seconds().count()), 0U}) {
        octets += octet((field % 10) << 4U | field / 10);
    }
    return octets;
}

std::string dead_stamp(int kind) {
    if (kind == 0 || kind == 1) {
        return std::string(time_stamp_size, kind == 0 ? '\x00' : '\xFF');
    }
    return time_stamp(WallTime(std::chrono::sys_days{std::chrono::year{2000} / 1 / 1}));
}

std::string address_field(std::string_view number) {
    const bool is_name = std::ranges::any_of(
        number, [](char c) { return c != '+' && digit_signs.find(c) == std::string_view::npos; });
    if (is_name) {
        std::string septets;
        for (const char c : number.substr(0, 11)) {
            const std::string one = gsm7_of(static_cast<unsigned char>(c));
            septets += one.size() == 1 ? one : "?";
        }
        // TP-OA counts the semi-octets in use: 7 bits for each character.
        return octet(static_cast<unsigned>((septets.size() * 7 + 3) / 4)) + std::string("\xD0") +
               pack_septets(septets);
    }
    const bool international = number.starts_with('+');
    const std::string_view digits = number.substr(international ? 1 : 0);
    return octet(static_cast<unsigned>(digits.size())) +
           std::string(international ? "\x91" : "\x81") + swapped_digits(digits);
}

std::string number_of_field(std::string_view field) {
    std::string number = (octet_at(field, 1) & 0x70U) == 0x10 ? "+" : "";
    for (std::size_t i = 0; i < octet_at(field, 0); ++i) {
        const unsigned digit = (octet_at(field, 2 + i / 2) >> (i % 2 * 4)) & 0xFU;
        if (digit < digit_signs.size()) {
            number += digit_signs[digit];
        }
    }
    return number;
}

std::optional<Submit> read_submit(std::string_view pdu, std::size_t tpdu_length) {
    if (pdu.empty() || pdu.size() != 1 + octet_at(pdu, 0) + tpdu_length || tpdu_length < 7) {
        return std::nullopt;
    }
    const std::string_view tpdu = pdu.substr(pdu.size() - tpdu_length);
    const unsigned first = octet_at(tpdu, 0);
    const std::size_t address_size = 2 + (octet_at(tpdu, 2) + 1) / 2;
    if ((first & 0x03U) != 0x01 || octet_at(tpdu, 2) == 0 || octet_at(tpdu, 2) > 20) {
        return std::nullopt;
    }
    const unsigned validity_format = (first >> 3U) & 0x03U;
    const std::size_t validity_size = validity_format == 0 ? 0 : validity_format == 2 ? 1 : 7;
    const std::size_t udl_at = 2 + address_size + 2 + validity_size;
    if (udl_at >= tpdu.size()) {
        return std::nullopt;
    }
    const unsigned dcs = octet_at(tpdu, 2 + address_size + 1);
    const std::size_t user_data = user_data_size(dcs, octet_at(tpdu, udl_at));
    if (user_data > 140 || udl_at + 1 + user_data != tpdu.size()) {
        return std::nullopt;
    }
    const std::string_view field = tpdu.substr(2, address_size);
    return Submit{.report_requested = (first & 0x20U) != 0,
                  .destination = number_of_field(field),
                  .destination_field = std::string(field)};
}

NetworkPdu make_deliver(std::string_view from, std::string_view sent, const TextSegment& segment) {
    std::string tpdu;
    tpdu += octet(segment.with_header ? 0x44 : 0x04);  // no more messages to send; TP-UDHI
    tpdu += address_field(from);
    tpdu += octet(0);  // TP-PID
    tpdu += octet(segment.dcs);
    tpdu += sent;
    tpdu += octet(segment.udl);
    tpdu += segment.user_data;
    return from_network(tpdu);
}

NetworkPdu forwarded(std::string_view submit, std::string_view from, WallTime sent) {
    const std::string_view tpdu = submit.substr(1 + octet_at(submit, 0));
    const unsigned first = octet_at(tpdu, 0);
    const std::size_t pid_at = 2 + 2 + (octet_at(tpdu, 2) + 1) / 2;
    const unsigned validity_format = (first >> 3U) & 0x03U;
    const std::size_t udl_at = pid_at + 2 +
                               (validity_format == 0   ? 0
                                : validity_format == 2 ? 1
                                                       : 7);
    std::string deliver;
    deliver += octet(0x04 | (first & 0x40U));  // no more messages to send; TP-UDHI as it was
    deliver += address_field(from);
    deliver += tpdu.substr(pid_at, 2);  // TP-PID, TP-DCS
    deliver += time_stamp(sent);
    deliver += tpdu.substr(udl_at);
    return from_network(deliver);
}

NetworkPdu make_status_report(const Report& report) {
    std::string tpdu;
    tpdu += octet(0x06);  // answers a submit; no more messages to send
    tpdu += octet(report.mr);
    tpdu += report.destination_field;
    tpdu += time_stamp(report.sent);
    tpdu += time_stamp(report.done);
    tpdu += octet(report.status);
    return from_network(tpdu);
}

}  // namespace smsrack::modem_sim
