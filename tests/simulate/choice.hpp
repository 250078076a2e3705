/// The rack of a seed: what a configuration may be.
#pragma once

#include "tests/sim/world.hpp"
#include "tests/simulate/checkers.hpp"

#include <filesystem>

namespace smsrack::simulate {

inline constexpr unsigned modems = 8;
inline constexpr std::string_view pin = "1234";

struct Choice {
    test::WorldSettings world;
    RackRules rules;
};

/// `pin_file` holds the PIN of all SIMs; `messages` are to go out in a day, and a quota lets them only just.
[[nodiscard]] Choice choose(std::uint64_t seed, const std::filesystem::path& pin_file,
                            unsigned messages);

}  // namespace smsrack::simulate
