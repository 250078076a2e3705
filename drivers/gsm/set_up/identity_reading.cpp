#include "drivers/gsm/set_up/identity_reading.hpp"

#include <algorithm>
#include <cstddef>
#include <ranges>

namespace smsrack::gsm {
namespace {

constexpr std::size_t imei_digits = 15;
constexpr std::size_t imsi_digits = 15;
constexpr std::size_t iccid_digits = 19;  // some have 20

/// From the last digit on each second one counts double, by the sum of its digits.
bool has_check_digit(std::string_view digits) {
    int sum = 0;
    bool twice = false;
    for (const char c : std::views::reverse(digits)) {
        const int digit = (c - '0') * (twice ? 2 : 1);
        sum += digit > 9 ? digit - 9 : digit;
        twice = !twice;
    }
    return sum % 10 == 0;
}

bool shows_that_it_is_whole(Identity kind, std::string_view number) {
    switch (kind) {
        case Identity::imei:
            return number.size() == imei_digits && has_check_digit(number);
        case Identity::imsi:
            return number.size() == imsi_digits;
        case Identity::iccid:
            return number.size() >= iccid_digits && has_check_digit(number);
    }
    return false;
}

}  // namespace

void IdentityReading::take(Identity kind, std::string_view number) {
    if (number.empty()) {
        return before_.clear();
    }
    may_be_torn_ = !shows_that_it_is_whole(kind, number) && number != before_;
    before_ = number;
    ++readings_;
}

}  // namespace smsrack::gsm
