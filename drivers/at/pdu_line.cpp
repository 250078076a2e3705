#include "drivers/at/pdu_line.hpp"

#include "drivers/at/line_framer.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace smsrack::at {
namespace {

constexpr int not_hex = -1;

constexpr int digit_of(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'A' && c <= 'F') {
        return c - 'A' + 10;
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return not_hex;
}

char octet_of(std::string_view two) {
    return static_cast<char>(digit_of(two[0]) * 16 + digit_of(two[1]));
}

std::optional<std::size_t> number_in_last_field(std::string_view header) {
    const auto begin = header.find_last_of(",: ") + 1;  // npos + 1 is 0
    std::size_t number = 0;
    const auto [end, error] =
        std::from_chars(header.data() + begin, header.data() + header.size(), number);
    if (error != std::errc{} || end != header.data() + header.size()) {
        return std::nullopt;
    }
    return number;
}

}  // namespace

bool is_hex_piece(std::string_view line) {
    return !line.empty() &&
           std::ranges::all_of(line, [](char c) { return digit_of(c) != not_hex; });
}

bool is_hex_line(std::string_view line) {
    return line.size() % 2 == 0 && is_hex_piece(line);
}

bool pdu_fits(std::string_view header, std::string_view line) {
    const auto length = number_in_last_field(header);
    if (!length || !is_hex_line(line)) {
        return false;
    }
    const std::size_t service_centre = static_cast<std::uint8_t>(octet_of(line.substr(0, 2)));
    return line.size() / 2 == 1 + service_centre + *length;
}

bool same_length(std::string_view header, std::string_view other) {
    const auto length = number_in_last_field(header);
    return length && length == number_in_last_field(other);
}

void join(std::string& pieces, std::string_view piece) {
    if (pieces.size() + piece.size() > LineFramer::line_max) {
        pieces.clear();
    }
    pieces += piece;
}

std::optional<std::string> octets_of(std::string_view line) {
    if (!is_hex_line(line)) {
        return std::nullopt;
    }
    std::string octets;
    octets.reserve(line.size() / 2);
    for (std::size_t at = 0; at < line.size(); at += 2) {
        octets += octet_of(line.substr(at, 2));
    }
    return octets;
}

void append_hex(std::string& out, std::string_view octets) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    for (const char c : octets) {
        const auto octet = static_cast<std::uint8_t>(c);
        out += digits[octet >> 4U];
        out += digits[octet & 0x0FU];
    }
}

std::optional<std::size_t> tpdu_length(std::string_view octets) {
    if (octets.empty()) {
        return std::nullopt;
    }
    const std::size_t header = 1U + static_cast<std::uint8_t>(octets.front());
    if (header >= octets.size()) {
        return std::nullopt;
    }
    return octets.size() - header;
}

}  // namespace smsrack::at
