/// Keeps the lines of a group from starting in step.
///
/// Lines that need the same time for each message, and began together, end together: all are free at once, then none for a whole
/// service, and what comes in between waits up to that long, however high its level. Lines that start one after the other, a service
/// divided by the lines apart, let it wait for no more than that.
/// A line that is about to start too close behind another rests once for up to such a gap. The rests are rare: together they cost
/// one part in `spacing_cost` of what one line can send, so a rack of 8 loses 0.4 % until its lines are apart, and nothing then. No line rests
/// again within the time of `line_rests_after` mean submits, so none of the 8 loses more than 0.8 %, and one of 2 at most 3 %.
///
/// Threads: none of its own.
/// Source:  the waiting time of a queue with constant service; the lines' ends are theirs to shift, as in desynchronization (DESYNC).
#pragma once

#include "src/base/clock.hpp"
#include "src/base/ids.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <map>
#include <optional>

namespace smsrack::queue {

/// How far apart two starts should be.
struct SpacingRule {
    std::chrono::nanoseconds gap{0};    ///< 0: as they come
    std::chrono::nanoseconds every{0};  ///< least time between two rests of the group
    std::chrono::nanoseconds again{0};  ///< least time between two rests of one line
};

/// One in this many of a line's messages may be lost to rests.
inline constexpr int spacing_cost = 32;
/// The more, the longer until lines are apart: 8 of 0.5 s take 67 s, and 55 s where a line may rest as often as the group.
inline constexpr int line_rests_after = 16;

/// Only where submits take the same time, within `variation_max`: others get out of step by themselves.
[[nodiscard]] inline SpacingRule spacing_rule(std::chrono::duration<double> service,
                                              double variation, std::size_t samples,
                                              std::size_t lines) {
    constexpr double variation_max = 0.05;
    constexpr std::size_t samples_min = 16;
    constexpr std::chrono::milliseconds service_min(100);  // below, it does not matter
    // So that lines a little faster than thought do not chase one another.
    constexpr double slack = 0.95;
    if (lines < 2 || samples < samples_min || variation > variation_max || service < service_min) {
        return {};
    }
    const auto share = service / static_cast<double>(lines);
    return {
        .gap = std::chrono::duration_cast<std::chrono::nanoseconds>(slack * share),
        .every = std::chrono::duration_cast<std::chrono::nanoseconds>(spacing_cost * share),
        .again = std::chrono::duration_cast<std::chrono::nanoseconds>(line_rests_after * service)};
}

class StartSpacing {
public:
    void follow(const SpacingRule& rule) { rule_ = rule; }

    /// `line` could start now: for how long it is to rest before.
    [[nodiscard]] std::chrono::nanoseconds rest(ModemId line, SteadyTime now) {
        const SteadyTime last = last_start_.value_or(now - rule_.gap);
        last_start_ = std::max(last, now);
        const auto since = now - last;
        if (since >= rule_.gap / 2 || now < next_rest_) {
            return {};
        }
        const auto [rested, first] = rested_.try_emplace(line, now);
        if (!first && now < rested->second + rule_.again) {
            return {};
        }
        rested->second = now;
        const auto rest = std::min(rule_.gap - since, rule_.gap);  // the last start may lie ahead
        last_start_ = std::max(last, now + rest);
        next_rest_ = now + rule_.every;
        return rest;
    }

private:
    SpacingRule rule_ = {};
    std::optional<SteadyTime> last_start_ = {};  // made, or planned
    SteadyTime next_rest_ = SteadyTime::min();
    std::map<ModemId, SteadyTime> rested_ = {};  // when each line rested last
};

}  // namespace smsrack::queue
