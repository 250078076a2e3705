#include "src/base/hex.hpp"

#include <cstddef>

namespace smsrack {
namespace {

constexpr std::string_view digits = "0123456789abcdef";
constexpr unsigned half = 4;

}  // namespace

std::string hex_of(std::span<const std::byte> octets) {
    std::string hex;
    hex.reserve(2 * octets.size());
    for (const std::byte octet : octets) {
        const auto value = std::to_integer<unsigned>(octet);
        hex += digits[value >> half];
        hex += digits[value & 15U];
    }
    return hex;
}

std::string hex_of(std::string_view octets) {
    return hex_of(std::as_bytes(std::span(octets)));
}

std::optional<std::string> octets_of_hex(std::string_view hex) {
    if (hex.size() % 2 != 0) {
        return std::nullopt;
    }
    std::string octets;
    octets.reserve(hex.size() / 2);
    for (std::size_t i = 0; i < hex.size(); i += 2) {
        const auto high = digits.find(hex[i]);
        const auto low = digits.find(hex[i + 1]);
        if (high == std::string_view::npos || low == std::string_view::npos) {
            return std::nullopt;
        }
        octets += static_cast<char>((high << half) | low);
    }
    return octets;
}

}  // namespace smsrack
