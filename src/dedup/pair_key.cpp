#include "src/dedup/pair_key.hpp"

namespace smsrack::dedup {

std::optional<std::uint64_t> pair_number(std::string_view e164) {
    constexpr std::size_t digits_max = 15;
    if (e164.size() < 2 || e164.size() > digits_max + 1 || e164[0] != '+' || e164[1] == '0') {
        return std::nullopt;
    }
    std::uint64_t number = 0;
    for (const char digit : e164.substr(1)) {
        if (digit < '0' || digit > '9') {
            return std::nullopt;
        }
        number = number * 10 + static_cast<std::uint64_t>(digit - '0');
    }
    return number;
}

}  // namespace smsrack::dedup
