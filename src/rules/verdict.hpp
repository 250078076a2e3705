/// The decision of a rule about a submit: the name of the rule, and a sentence for the client.
///
/// Errors:  as an Error: forbidden, `context` "rule premium: ...". It never has the number.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/result.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::rules {

/// In the order in which a submit passes them.
enum class Rule : std::uint8_t { deny, allow, premium, opt_out, recipient_limit, quiet_hours };
inline constexpr std::array<std::string_view, 6> rule_names{
    "deny", "allow", "premium", "opt_out", "recipient_limit", "quiet_hours"};

[[nodiscard]] constexpr std::string_view rule_name(Rule rule) {
    return rule_names.at(static_cast<std::size_t>(rule));
}

struct Refusal {
    Rule rule = Rule::deny;
    std::string sentence = {};
    std::optional<WallTime> until = {};  ///< from then on it would pass; nullopt: no time ends it
};

[[nodiscard]] inline Error error_of(const Refusal& refusal) {
    return {.code = Errc::forbidden,
            .context = "rule " + std::string(rule_name(refusal.rule)) + ": " + refusal.sentence};
}

}  // namespace smsrack::rules
