/// A load of many levels on a rack in simulated time, and the rules for the order in which it must
/// go out.
#pragma once

#include "src/sms/ageing.hpp"
#include "tests/rack/support/world.hpp"

#include <optional>
#include <string>
#include <vector>

namespace smsrack::test {

/// Messages of one level that come at one time.
struct Arrival {
    std::chrono::milliseconds at{0};  ///< since the rack was ready
    Level level = 0;
    std::size_t count = 1;
};

struct PriorityLoad {
    unsigned modems = 2;
    AgeingRules ageing = {};
    std::vector<Arrival> arrivals = {};  ///< in order of time
    std::optional<std::chrono::milliseconds> crash = {};
    std::uint64_t seed = 1;
    std::string reserve = {};  ///< of [priority], TOML
};

struct PrioritySent {
    Turn turn;
    WallTime started = {};  ///< a modem had it in flight
    unsigned modem = 0;
};

struct PriorityRun {
    /// In order of `started`; without those that a crash left in doubt.
    std::vector<PrioritySent> sent;
    std::size_t missing = 0;  ///< that no modem ever had, though they are no doubt
    std::size_t doubts = 0;   ///< tried more than once, or unknown
};

/// One service, dialogue included.
inline constexpr std::chrono::milliseconds priority_service{540};

/// Until all have an end.
[[nodiscard]] PriorityRun run_priority(const PriorityLoad& load);

/// How often a message was taken although another one was before it, apart from the promoted ones
/// that have their turn.
[[nodiscard]] std::size_t overtakings(const PriorityRun& run, const AgeingRules& ageing);

/// The most promoted ones that were taken while those of the top's own lane waited, beyond one after every seven of these.
[[nodiscard]] std::size_t turns_too_many(const PriorityRun& run);

/// The longest that one at the top needed, beyond promoted_every services of all lines for it and each promoted one before it.
[[nodiscard]] std::chrono::milliseconds beyond_bound(const PriorityRun& run,
                                                     const PriorityLoad& load);

}  // namespace smsrack::test
