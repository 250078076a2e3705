/// What is tried with a modem that stays silent after draining: the port anew, then a restart, ever
/// more seldom.
///
/// (A power or DTR pulse is the rung above; it comes with the board's power lines.)
#pragma once

#include <array>
#include <chrono>
#include <cstddef>

namespace smsrack::wavecom {

struct Rung {
    bool restart = false;  ///< AT+CFUN=1, in case it hears although it does not answer
    std::chrono::milliseconds pause = {};  ///< until the port is opened again
};

inline constexpr std::array recovery_ladder{
    Rung{false, std::chrono::seconds(1)}, Rung{false, std::chrono::seconds(5)},
    Rung{true, std::chrono::seconds(10)}, Rung{true, std::chrono::seconds(30)},  // and so on
};

class Recovery {
public:
    /// The next thing to try.
    constexpr Rung climb() {
        const auto rung = recovery_ladder[rung_];
        rung_ = rung_ + 1 < recovery_ladder.size() ? rung_ + 1 : rung_;
        return rung;
    }
    constexpr void reset() { rung_ = 0; }

private:
    std::size_t rung_ = 0;
};

}  // namespace smsrack::wavecom
