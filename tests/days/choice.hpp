/// Draws the rack of a seed: its configuration.
#pragma once

#include "tests/days/checkers/checkers.hpp"
#include "tests/rack/support/world.hpp"

#include <filesystem>

namespace smsrack::days {

inline constexpr unsigned modems = 8;
inline constexpr std::string_view pin = "1234";

struct Choice {
    test::WorldSettings world;
    RackRules rules;
    bool radio_off = false;  ///< of parked lines: they listen every ten minutes
};

/// What the days of each seed must have besides what is drawn.
struct Wanted {
    unsigned messages = 0;  ///< to go out in a day; a quota lets them only just
    bool scaling = false;   ///< lines are parked, the promises are protected, and there is no quota
};

/// `pin_file` holds the PIN of all SIMs.
[[nodiscard]] Choice choose(std::uint64_t seed, const std::filesystem::path& pin_file,
                            const Wanted& wanted);

}  // namespace smsrack::days
