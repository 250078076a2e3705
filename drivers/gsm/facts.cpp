#include "drivers/gsm/facts.hpp"

#include "drivers/gsm/fields.hpp"

#include <algorithm>
#include <cctype>

namespace smsrack::gsm {
namespace {

bool is_digits(std::string_view text) {
    return std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

}  // namespace

std::string_view number_of(std::string_view line) {
    const auto number = field(line, 0);
    return number.size() >= 14 && number.size() <= 16 && is_digits(number) ? number
                                                                           : std::string_view{};
}

std::string_view iccid_of(std::string_view line) {
    auto iccid = field(line, 0);
    while (iccid.ends_with('F') || iccid.ends_with('f')) {
        iccid.remove_suffix(1);
    }
    return iccid.size() >= 18 && iccid.size() <= 20 && is_digits(iccid) ? iccid
                                                                        : std::string_view{};
}

std::optional<int> signal_of(std::string_view line) {
    const auto rssi = number_field(line, 0);
    if (!rssi || *rssi < 0 || *rssi > 31) {
        return std::nullopt;
    }
    return -113 + 2 * *rssi;  // TS 27.007 8.5
}

bool is_creg_answer(std::string_view line) {
    return number_field(line, 1).has_value();
}

ports::Registration registration_of(std::optional<int> stat) {
    return stat && *stat >= 0 && *stat <= 5 ? static_cast<ports::Registration>(*stat)
                                            : ports::Registration::unknown;
}

}  // namespace smsrack::gsm
