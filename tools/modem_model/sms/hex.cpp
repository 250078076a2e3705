#include "tools/modem_model/sms/hex.hpp"

namespace smsrack::modem_sim {
namespace {

int value_of(char digit) {
    if (digit >= '0' && digit <= '9') {
        return digit - '0';
    }
    const char letter = static_cast<char>(digit | 0x20);
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

}  // namespace

std::string to_hex(std::string_view octets) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string hex;
    hex.reserve(octets.size() * 2);
    for (const char octet : octets) {
        const auto value = static_cast<unsigned char>(octet);
        hex += digits[value >> 4U];
        hex += digits[value & 0x0FU];
    }
    return hex;
}

std::optional<std::string> from_hex(std::string_view digits) {
    if (digits.size() % 2 != 0) {
        return std::nullopt;
    }
    std::string octets;
    octets.reserve(digits.size() / 2);
    for (std::size_t i = 0; i < digits.size(); i += 2) {
        const int high = value_of(digits[i]);
        const int low = value_of(digits[i + 1]);
        if (high < 0 || low < 0) {
            return std::nullopt;
        }
        octets += static_cast<char>(high * 16 + low);
    }
    return octets;
}

}  // namespace smsrack::modem_sim
