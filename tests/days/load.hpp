/// Generates the messages of a day: campaigns, alerts, codes, and conversations of several messages
/// with one number.
#pragma once

#include "src/base/random.hpp"
#include "src/intake/intake.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <vector>

namespace smsrack::days {

/// What is asked at one time.
using Load = std::multimap<std::chrono::milliseconds, std::vector<intake::SubmitRequest>>;

/// `messages` in the first `length` of a day. Each text is another one: `first` is the number of the first.
[[nodiscard]] Load make_load(Random& random, std::uint64_t first, unsigned messages,
                             std::chrono::milliseconds length);

/// Short messages of the highest level.
struct Surge {
    unsigned before = 0;  ///< one each pause_before: enough that the rate of a line is known
    std::chrono::milliseconds pause_before{0};
    unsigned burst = 0;  ///< then these at once
    unsigned after = 0;  ///< and these, one each pause_after
    std::chrono::milliseconds pause_after{0};

    [[nodiscard]] unsigned messages() const { return before + burst + after; }
};
[[nodiscard]] Load make_surge(Random& random, std::uint64_t first, const Surge& surge);

/// Two campaigns, one of the level above ten seconds after one of `level`: what waits of the first is promoted while the second still waits.
[[nodiscard]] Load make_rivals(Random& random, std::uint64_t first, unsigned messages, Level level);

}  // namespace smsrack::days
