#include "tools/smsrack/messages/time_argument.hpp"

#include "src/base/time_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <optional>

namespace smsrack::cli {
namespace {

using std::chrono::seconds;

struct Unit {
    char letter;
    seconds length;
};

constexpr std::array units{Unit{'s', seconds(1)}, Unit{'m', std::chrono::minutes(1)},
                           Unit{'h', std::chrono::hours(1)}, Unit{'d', std::chrono::days(1)},
                           Unit{'w', std::chrono::weeks(1)}};
constexpr std::int64_t number_max = 1'000'000;  // of one unit: no sum overflows

/// nullopt if it is no distance, such as a time.
std::optional<seconds> distance_of(std::string_view text) {
    if (text.empty()) {
        return std::nullopt;
    }
    seconds sum{0};
    while (!text.empty()) {
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        const auto size = static_cast<std::size_t>(end - text.data());
        if (error != std::errc() || number < 0 || number > number_max || size == text.size()) {
            return std::nullopt;
        }
        const auto* const unit = std::ranges::find(units, text[size], &Unit::letter);
        if (unit == units.end()) {
            return std::nullopt;
        }
        sum += number * unit->length;
        text.remove_prefix(size + 1);
    }
    return sum;
}

std::string_view without(char sign, std::string_view text) {
    return text.starts_with(sign) ? text.substr(1) : text;
}

}  // namespace

std::string time_before(std::string_view text, WallTime now) {
    const auto distance = distance_of(without('-', text));
    return distance ? time_text(now - *distance) : std::string(text);
}

std::string time_after(std::string_view text, WallTime now) {
    const auto distance = distance_of(without('+', text));
    return distance ? time_text(now + *distance) : std::string(text);
}

}  // namespace smsrack::cli
