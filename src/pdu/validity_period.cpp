#include "src/pdu/validity_period.hpp"

#include "src/base/check.hpp"
#include "src/pdu/semi_octet.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::pdu {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using std::chrono::weeks;

constexpr std::string_view validity_field = "TP-VP";
constexpr std::uint8_t extension_bit = 0x80;
constexpr std::uint8_t single_shot_bit = 0x40;

constexpr seconds duration_of(unsigned value) {
    if (value <= 143) {
        return minutes{5} * (value + 1);
    }
    if (value <= 167) {
        return hours{12} + minutes{30} * (value - 143);
    }
    if (value <= 196) {
        return days{value - 166};
    }
    return weeks{value - 192};
}
static_assert(duration_of(255) == relative_duration_max);

constexpr std::array<seconds, 256> durations = [] {
    std::array<seconds, 256> all{};
    for (unsigned value = 0; value < all.size(); ++value) {
        all[value] = duration_of(value);
    }
    return all;
}();

/// hh, mm, ss in semi-octets.
std::optional<seconds> clock_duration(Octets three) {
    const auto hour = decimal_of(three[0]);
    const auto minute = decimal_of(three[1]);
    const auto second = decimal_of(three[2]);
    if (!hour || !minute || !second || *minute > 59 || *second > 59) {
        return std::nullopt;
    }
    return hours{*hour} + minutes{*minute} + seconds{*second};
}

/// 9.2.3.12.3: an indicator octet, more of them while bit 7 is set, then the value.
std::optional<seconds> enhanced_duration(Octets seven) {
    std::size_t value = 1;
    while ((seven[value - 1] & extension_bit) != 0) {
        ++value;
        if (value == seven.size()) {
            return std::nullopt;
        }
    }
    switch (seven[0] & 0x07U) {
        case 1:
            return duration_of(seven[value]);
        case 2:
            // A value of zero is undefined and reserved.
            return seven[value] == 0 ? std::nullopt : std::optional(seconds{seven[value]});
        case 3:
            return value + 3 <= seven.size() ? clock_duration(seven.subspan(value, 3))
                                             : std::nullopt;
        default:
            return std::nullopt;
    }
}

}  // namespace

Octets ValidityPeriod::octets() const {
    constexpr std::array<std::size_t, 4> sizes{0, 7, 1, 7};
    return Octets{raw}.first(sizes[std::to_underlying(format)]);
}

std::optional<seconds> ValidityPeriod::duration() const {
    switch (format) {
        case ValidityFormat::relative:
            return duration_of(raw[0]);
        case ValidityFormat::enhanced:
            return enhanced_duration(raw);
        case ValidityFormat::none:
        case ValidityFormat::absolute:
            return std::nullopt;
    }
    return std::nullopt;
}

std::optional<CivilTime> ValidityPeriod::time() const {
    return format == ValidityFormat::absolute ? timestamp_of(raw).time : std::nullopt;
}

bool ValidityPeriod::single_shot() const {
    return format == ValidityFormat::enhanced && (raw[0] & single_shot_bit) != 0;
}

ValidityPeriod read_validity_period(Reader& reader, ValidityFormat format) {
    ValidityPeriod period{.format = format};
    const Octets octets = reader.octets(period.octets().size(), validity_field);
    std::ranges::copy(octets, period.raw.begin());
    return period;
}

ValidityPeriod relative_period(std::uint8_t value) {
    return {.format = ValidityFormat::relative, .raw = {value}};
}

/// 9.2.3.12.3: indicator 3, then hours, minutes and seconds in semi-octets.
ValidityPeriod enhanced_period(seconds wanted) {
    SMSRACK_CHECK(wanted >= seconds{0} && wanted < hours{100});
    constexpr std::uint8_t clock_form = 3;
    const auto total = static_cast<unsigned>(wanted.count());
    return {.format = ValidityFormat::enhanced,
            .raw = {clock_form, decimal_octet(total / 3600), decimal_octet(total / 60 % 60),
                    decimal_octet(total % 60)}};
}

seconds relative_duration(std::uint8_t value) {
    return durations[value];
}

std::uint8_t relative_validity(seconds left) {
    const auto* const longer = std::ranges::upper_bound(durations, left);
    return longer == durations.begin() ? std::uint8_t{0}
                                       : static_cast<std::uint8_t>(longer - durations.begin() - 1);
}

std::uint8_t relative_validity_at_least(seconds wanted) {
    const auto* const enough = std::ranges::lower_bound(durations, wanted);
    SMSRACK_CHECK(enough != durations.end());
    return static_cast<std::uint8_t>(enough - durations.begin());
}

}  // namespace smsrack::pdu
