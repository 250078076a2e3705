/// The messages of a day: campaigns, alerts, codes, and conversations of several messages with one number.
#pragma once

#include "src/base/random.hpp"
#include "src/intake/intake.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <vector>

namespace smsrack::simulate {

/// What is asked at one time.
using Load = std::multimap<std::chrono::milliseconds, std::vector<intake::SubmitRequest>>;

/// `messages` in the first `length` of a day. Each text is another one: `first` is the number of the first.
[[nodiscard]] Load make_load(Random& random, std::uint64_t first, unsigned messages,
                             std::chrono::milliseconds length);

/// Two campaigns, one of the level above ten seconds after one of `level`: what waits of the first is promoted while the second still waits.
[[nodiscard]] Load make_rivals(Random& random, std::uint64_t first, unsigned messages, Level level);

}  // namespace smsrack::simulate
