/// Codes that log a browser in once, soon after they were made.
///
/// Bound:   codes_max; the oldest is forgotten for a new one.
/// Time:    steady time, given with each call; a code counts for code_valid.
/// Threads: loop thread.
#pragma once

#include "src/base/clock.hpp"

#include <chrono>
#include <cstddef>
#include <deque>
#include <string>
#include <string_view>

namespace smsrack::gate {

class OneTimeCodes {
public:
    static constexpr std::chrono::seconds code_valid{60};
    static constexpr std::size_t codes_max = 8;

    /// Takes the hash of a code; the code itself is only shown.
    void add(std::string hash, SteadyTime now);

    /// True once for each code.
    [[nodiscard]] bool take(std::string_view hash, SteadyTime now);

private:
    struct Code {
        std::string hash;
        SteadyTime made;
    };

    std::deque<Code> codes_;  // the oldest first
};

}  // namespace smsrack::gate
