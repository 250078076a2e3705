#include "tools/modem_model/settings.hpp"

#include <fmt/format.h>
#include <ranges>

namespace smsrack::modem_sim {
namespace {

/// Luhn's check digit, which ends every IMEI and ICCID.
char check_digit(const std::string& digits) {
    int sum = 0;
    bool doubled = true;
    for (const char digit : std::views::reverse(digits)) {
        const int value = (digit - '0') * (doubled ? 2 : 1);
        sum += value > 9 ? value - 9 : value;
        doubled = !doubled;
    }
    return static_cast<char>('0' + (10 - sum % 10) % 10);
}

std::string with_check_digit(std::string digits) {
    digits += check_digit(digits);
    return digits;
}

}  // namespace

Identity make_identity(unsigned index) {
    return {
        .imei = with_check_digit(fmt::format("33239501{:06}", 100000 + index)),
        .imsi = fmt::format("20801{:010}", 4200000000ULL + index),
        .iccid = with_check_digit(fmt::format("893301{:012}", 270000000000ULL + index)),
        .number = fmt::format("+336000{:05}", index),
        .operator_name = "SIMNET",
        .plmn = "20801",
        .signal = static_cast<int>(15 + index % 15),
    };
}

}  // namespace smsrack::modem_sim
