#include "src/sms/address.hpp"

#include <algorithm>

namespace smsrack {
namespace {

constexpr std::size_t e164_digits_max = 15;
constexpr std::size_t e164_digits_min = 7;  // the shortest international numbers in use
constexpr std::size_t short_code_min = 3;
constexpr std::size_t short_code_max = 6;
constexpr std::size_t tail_max = 9;  // digits that distinguish subscribers, whatever the prefix
constexpr std::size_t tail_min = 7;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool all_digits(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, is_digit);
}

/// Without the punctuation that people write; nullopt if a character can't be in a number.
Result<std::string> without_punctuation(std::string_view input) {
    constexpr std::string_view dropped = " .-/()";
    constexpr std::size_t input_max = 40;  // 20 semi-octets of TP-DA, with punctuation
    if (input.empty()) {
        return fail(Errc::bad_number, "to: empty");
    }
    if (input.size() > input_max) {
        return fail(Errc::bad_number, "to: too long for a number");
    }
    std::string number;
    for (std::size_t i = 0; i < input.size(); ++i) {
        const char c = input[i];
        if (is_digit(c) || (c == '+' && number.empty())) {
            number += c;
        } else if (!dropped.contains(c)) {
            return fail(Errc::bad_number,
                        "to: character " + std::to_string(i + 1) + " can't be in a number");
        }
    }
    return number;
}

Result<std::string> checked_e164(std::string number) {
    const std::size_t digits = number.size() - 1;
    if (digits < e164_digits_min || digits > e164_digits_max || number[1] == '0') {
        return fail(Errc::bad_number,
                    "to: an international number is + and 7 to 15 digits, the first not 0");
    }
    return number;
}

/// "+33 (0)6 12 ..." is how many write it. Where 0 is the trunk prefix, no number begins with it.
Result<std::string> international(std::string number, const NumberPlan& plan) {
    const std::string with_zero = plan.country + "0";
    if (plan.trunk == "0" && !plan.country.empty() && number.starts_with(with_zero)) {
        number.erase(plan.country.size(), 1);
        if (number.starts_with(with_zero)) {
            return fail(Errc::bad_number, "to: two zeros behind the country code");
        }
    }
    return checked_e164(std::move(number));
}

std::string digits_of(std::string_view address) {
    std::string digits;
    std::ranges::copy_if(address, std::back_inserter(digits), is_digit);
    return digits;
}

}  // namespace

Result<std::string> normalised_number(std::string_view input, const NumberPlan& plan) {
    auto number = without_punctuation(input);
    if (!number) {
        return number;
    }
    if (number->starts_with('+')) {
        return international(*std::move(number), plan);
    }
    if (number->size() >= short_code_min && number->size() <= short_code_max) {
        return number;
    }
    if (plan.country.empty()) {
        return fail(
            Errc::bad_number,
            "to: not an international number (+ and country code), and no `country` is configured");
    }
    if (number->starts_with("00")) {
        return international("+" + number->substr(2), plan);
    }
    const bool has_trunk = !plan.trunk.empty() && number->starts_with(plan.trunk);
    return checked_e164(plan.country + (has_trunk ? number->substr(plan.trunk.size()) : *number));
}

bool same_subscriber(std::string_view a, std::string_view b) {
    if (a.empty() || b.empty()) {
        return false;
    }
    if (a == b) {
        return true;
    }
    const auto numeric = [](std::string_view text) {
        return all_digits(text.starts_with('+') ? text.substr(1) : text);
    };
    if (!numeric(a) || !numeric(b)) {
        return false;
    }
    const std::string left = digits_of(a);
    const std::string right = digits_of(b);
    if (left == right) {
        return true;
    }
    const std::size_t tail = std::min({left.size(), right.size(), tail_max});
    return tail >= tail_min && left.substr(left.size() - tail) == right.substr(right.size() - tail);
}

}  // namespace smsrack
