#include "src/posting/retry_after.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <string>

namespace smsrack::posting {
namespace {

constexpr std::string_view digits = "0123456789";

/// The three forms of an HTTP date; only English names are in them, as in the "C" locale.
constexpr std::array date_forms{
    "%a, %d %b %Y %H:%M:%S GMT",  // IMF-fixdate
    "%A, %d-%b-%y %H:%M:%S GMT",  // RFC 850
    "%a %b %d %H:%M:%S %Y",       // asctime
};

std::optional<WallTime> date_of(const std::string& text) {
    for (const char* form : date_forms) {
        std::tm parts{};
        const char* const end = ::strptime(text.c_str(), form, &parts);
        if (end != nullptr && *end == '\0') {
            return WallTime(std::chrono::seconds(::timegm(&parts)));
        }
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::chrono::seconds> retry_after(std::string_view value, WallTime now) {
    constexpr std::size_t value_max = 64;
    constexpr std::size_t digits_max = 6;  // more is beyond wait_max anyway
    if (value.empty() || value.size() > value_max) {
        return std::nullopt;
    }
    if (value.find_first_not_of(digits) == std::string_view::npos) {
        const std::string_view shown =
            value.substr(std::min(value.find_first_not_of('0'), value.size() - 1));
        return shown.size() > digits_max
                   ? wait_max
                   : std::min(wait_max, std::chrono::seconds(std::stol(std::string(shown))));
    }
    const auto date = date_of(std::string(value));
    if (!date) {
        return std::nullopt;
    }
    return std::clamp(std::chrono::ceil<std::chrono::seconds>(*date - now), std::chrono::seconds(0),
                      wait_max);
}

}  // namespace smsrack::posting
