/// Decides which numbers messages may go to: allowed and denied prefixes, and numbers that cost
/// more.
///
/// The longest prefix that fits decides; of two equally long ones, the denied. Where anything is allowed by name, nothing
/// else is. A premium or shared-cost number (src/rules/premium) is refused unless a prefix at least as long as that of
/// its range is allowed.
/// Threads: any; immutable.
#pragma once

#include "src/rules/verdict.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::rules {

struct DestinationRules {
    std::vector<std::string> allow = {};  ///< prefixes of normalised numbers; empty: any
    std::vector<std::string> deny = {};
    bool premium = true;  ///< false: premium numbers are numbers like others
};

/// Why no message may go to this number (normalised); nullopt if it may.
[[nodiscard]] std::optional<Refusal> refused_destination(const DestinationRules& rules,
                                                         std::string_view to);

}  // namespace smsrack::rules
