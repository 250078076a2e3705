/// Time until a line could take work if its gate were open: the `t_ready` of scaling and of overload protection.
///
/// Unit:    nanoseconds from `now`.
/// Time:    steady.
/// Threads: any; pure.
/// Source:  [Elastic] a node that starts; docs/decisions/0036-parked-lines-are-capacity.md.
#pragma once

#include "src/base/clock.hpp"
#include "src/ports/rack_view.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

namespace smsrack::line {

/// What the order to a line whose radio is on needs to come through the threads of scaling and dispatch.
inline constexpr std::chrono::milliseconds gate_takes{200};
/// What switching the radio on is expected to take before it was measured; and a bound for one that is late.
inline constexpr std::chrono::seconds ready_first{30};
inline constexpr std::chrono::seconds late_within{1};
/// A line that takes more than this many times as long as the last time is not expected any more.
inline constexpr int ready_slack = 3;

[[nodiscard]] inline std::chrono::nanoseconds wakes_in(const ports::LineView& line) {
    return line.woke_in.value_or(ready_first);
}

/// Its radio is being switched on, and that does not take too long yet.
[[nodiscard]] inline bool is_waking(const ports::LineView& line, SteadyTime now) {
    return line.waking_since && now < *line.waking_since + ready_slack * wakes_in(line);
}

/// nullopt if it is unknown: its modem is not fine. Whether the line rests (quota, cooling) is another question.
[[nodiscard]] inline std::optional<std::chrono::nanoseconds> time_to_ready(
    const ports::LineView& line, SteadyTime now) {
    if (line.link == ports::LinkState::active) {
        return gate_takes;
    }
    if (is_waking(line, now)) {
        return std::max<std::chrono::nanoseconds>(*line.waking_since + wakes_in(line) - now,
                                                  late_within);
    }
    return line.listens_at ? std::optional(wakes_in(line)) : std::nullopt;
}

}  // namespace smsrack::line
