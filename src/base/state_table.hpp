/// State machines as tables: rows {from, on, to}, applied by one function that refuses every pair
/// not in the table.
///
/// Use: `constexpr std::array rules{Rule<S, E>{S::a, E::x, S::b}, ...};` and `next(rules, state,
/// event)`.
#pragma once

#include <optional>
#include <ranges>

namespace smsrack {

template <typename State, typename Event>
struct Rule {
    State from;
    Event on;
    State to;
};

/// The state after `on`, or nullopt if the table has no such row: the caller counts and logs it,
/// never guesses.
template <typename Rules, typename State, typename Event>
[[nodiscard]] constexpr std::optional<State> next(const Rules& rules, State from, Event on) {
    for (const auto& rule : rules) {
        if (rule.from == from && rule.on == on) {
            return rule.to;
        }
    }
    return std::nullopt;
}

}  // namespace smsrack
