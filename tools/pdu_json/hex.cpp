#include "tools/pdu_json/hex.hpp"

#include <array>

namespace smsrack::tools {
namespace {

constexpr std::string_view digits = "0123456789ABCDEF";
constexpr std::uint8_t no_digit = 0xFF;

constexpr std::array<std::uint8_t, 256> values = [] {
    std::array<std::uint8_t, 256> all{};
    all.fill(no_digit);
    for (std::uint8_t value = 0; value < 16; ++value) {
        const auto upper = static_cast<unsigned char>(digits[value]);
        all[upper] = value;
        if (value > 9) {
            all[static_cast<std::size_t>(upper) + ('a' - 'A')] = value;
        }
    }
    return all;
}();

std::uint8_t value_of(char digit) {
    return values[static_cast<unsigned char>(digit)];
}

}  // namespace

void append_hex(std::string& out, pdu::Octets octets) {
    const std::size_t at = out.size();
    out.resize(at + octets.size() * 2);
    char* end = out.data() + at;
    for (const std::uint8_t octet : octets) {
        *end++ = digits[octet >> 4U];
        *end++ = digits[octet & 0x0FU];
    }
}

std::size_t read_hex(std::string_view text, std::vector<std::uint8_t>& out) {
    out.resize(text.size() / 2);
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::uint8_t high = value_of(text[2 * i]);
        const std::uint8_t low = value_of(text[2 * i + 1]);
        if (high == no_digit || low == no_digit) {
            return high == no_digit ? 2 * i : 2 * i + 1;
        }
        out[i] = static_cast<std::uint8_t>((high << 4U) | low);
    }
    if (text.size() % 2 != 0) {
        return value_of(text.back()) == no_digit ? text.size() - 1 : text.size();
    }
    return std::string_view::npos;
}

}  // namespace smsrack::tools
