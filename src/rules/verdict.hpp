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

/// "premium" of an error that error_of(), or the store for a rule that asks for rows, has made; empty:
/// no rule has refused. As long as the error.
[[nodiscard]] constexpr std::string_view rule_of(const Error& error) {
    constexpr std::string_view before = "rule ";
    std::string_view context = error.context;
    if (error.code != Errc::forbidden || !context.starts_with(before)) {
        return {};
    }
    context.remove_prefix(before.size());
    return context.substr(0, context.find(':'));
}

}  // namespace smsrack::rules
