/// What is tried with a modem that stays silent after draining, as a table: the port anew, a
/// restart, its power; then it is out of service, and the same is tried ever again, seldom.
///
/// Source:  design field.md 2, complaint 1.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace smsrack::wavecom {

enum class Remedy : std::uint8_t {
    reopen,  ///< the port is closed and opened
    reset,   ///< AT+CFUN=1 besides, in case it hears although it does not answer
    power,   ///< its power line or DTR besides; the rung is left out where there is neither
};

struct Rung {
    Remedy remedy = Remedy::reopen;
    std::chrono::milliseconds pause = {};  ///< then the modem is asked again
    bool out_of_service = false;
};

/// A WAVECOM is up a few seconds after a restart; after power it also looks for the network.
inline constexpr std::array recovery_ladder{
    Rung{Remedy::reopen, std::chrono::seconds(1)},
    Rung{Remedy::reopen, std::chrono::seconds(5)},
    Rung{Remedy::reset, std::chrono::seconds(10)},
    Rung{Remedy::power, std::chrono::seconds(15)},
    Rung{Remedy::reopen, std::chrono::seconds(30), true},  // from here on again and again
    Rung{Remedy::reset, std::chrono::seconds(60), true},
    Rung{Remedy::power, std::chrono::seconds(120), true},
    Rung{Remedy::reopen, std::chrono::seconds(120), true},
};

/// The rung after the last: the first that is out of service.
inline constexpr std::size_t recovery_again = [] {
    std::size_t rung = 0;
    while (!recovery_ladder.at(rung).out_of_service) {
        ++rung;
    }
    return rung;
}();

class Recovery {
public:
    /// The next thing to try.
    constexpr Rung climb() {
        const auto rung = recovery_ladder.at(rung_);
        rung_ = rung_ + 1 < recovery_ladder.size() ? rung_ + 1 : recovery_again;
        return rung;
    }
    constexpr void reset() { rung_ = 0; }

private:
    std::size_t rung_ = 0;
};

}  // namespace smsrack::wavecom
