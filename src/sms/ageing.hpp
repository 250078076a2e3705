/// Adaptive priority: the level of a message, by how long it has waited.
///
/// A pure function, so it holds for what is in memory, for what waits in the store, and over a
/// restart; nothing is moved and no timer runs. Within one first level a message that waits longer
/// is higher or earlier: so only the oldest of each first level can be next.
/// Unit:    milliseconds of UTC.
/// Source:  [NSB] adaptive priority, docs/papers.md 5 (two lanes in level 6).
#pragma once

#include "src/base/clock.hpp"
#include "src/base/ids.hpp"
#include "src/sms/level.hpp"

#include <array>
#include <chrono>
#include <numeric>

namespace smsrack {

struct AgeingRules {
    bool on = true;  ///< false: a message stays at its first level (strict priorities)
    /// T_waitmax(L): a message that has waited longer at L goes to the end of L + 1. That of the
    /// top is unused.
    std::array<std::chrono::milliseconds, level_count> max_wait{
        std::chrono::milliseconds(60'000), std::chrono::milliseconds(60'000),
        std::chrono::milliseconds(30'000), std::chrono::milliseconds(30'000),
        std::chrono::milliseconds(15'000), std::chrono::milliseconds(5'000),
        std::chrono::milliseconds(0)};
};

/// What decides when a message is next.
struct Turn {
    Level first = 0;      ///< the level that it was accepted with
    WallTime since = {};  ///< since when it waits: accepted, or its `not_before`
    MessageId id = {};
    friend constexpr bool operator==(const Turn&, const Turn&) = default;
};

/// Of two messages of the same first level: the one that waits longer.
[[nodiscard]] constexpr bool older(const Turn& a, const Turn& b) {
    return a.since != b.since ? a.since < b.since : a.id < b.id;
}

struct Standing {
    Level level = 0;
    bool promoted = false;  ///< at the top, and not from the start: the second lane there
    WallTime entered = {};  ///< at this level
    friend constexpr bool operator==(const Standing&, const Standing&) = default;
};

[[nodiscard]] inline Standing standing(const AgeingRules& rules, const Turn& turn, WallTime now) {
    Standing at{.level = turn.first, .entered = turn.since};
    while (rules.on && at.level < level_max && now - at.entered > rules.max_wait.at(at.level)) {
        at.entered += rules.max_wait.at(at.level);
        ++at.level;
    }
    at.promoted = at.level == level_max && turn.first < level_max;
    return at;
}

/// Higher levels first; at the top its own lane; then the one that entered earlier.
[[nodiscard]] constexpr bool goes_before(const Standing& a, const Standing& b) {
    if (a.level != b.level) {
        return a.level > b.level;
    }
    return a.promoted != b.promoted ? b.promoted : a.entered < b.entered;
}

/// How long after `Turn::since` a message of this first level is at the top, at the latest: sum of
/// T_waitmax(first .. 5).
[[nodiscard]] inline std::chrono::milliseconds time_to_top(const AgeingRules& rules, Level first) {
    return std::accumulate(rules.max_wait.begin() + first, rules.max_wait.end() - 1,
                           std::chrono::milliseconds(0));
}

/// At the top every 8th is one of the promoted, while there are any.
inline constexpr unsigned promoted_every = 8;

}  // namespace smsrack
