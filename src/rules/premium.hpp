/// Ranges of numbers that cost more than a message: premium rate, shared cost, satellite.
///
/// Source:  named in premium.cpp, by country. National short codes are in no range: they are for the lists of an operator.
#pragma once

#include <span>
#include <string_view>

namespace smsrack::rules {

struct PremiumRange {
    std::string_view pattern;  ///< prefix of an E.164 number
    std::string_view where;    ///< ISO 3166 code of the country, or "international"
    std::string_view what;     ///< "premium rate"
};

[[nodiscard]] std::span<const PremiumRange> premium_ranges();

/// The range with the longest pattern that the number is in; null: none.
[[nodiscard]] const PremiumRange* premium_range(std::string_view number);

}  // namespace smsrack::rules
