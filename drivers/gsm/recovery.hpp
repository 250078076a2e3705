/// What is tried with a modem that stays silent after draining, or must be drained again and again, as a table: the port
/// again, a restart, its power; then it is out of service, and the same is tried on and on, at long intervals.
///
/// Source:  docs/complaints.md, A1.
#pragma once

#include "src/base/clock.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace smsrack::gsm {

enum class Remedy : std::uint8_t {
    reopen,  ///< the port is closed and opened
    reset,   ///< Profile::restart besides, in case it hears although it does not answer
    power,   ///< its power line or DTR besides; the rung is left out where there is neither
};

struct Rung {
    Remedy remedy = Remedy::reopen;
    std::chrono::milliseconds pause = {};  ///< then the modem is asked again
    bool out_of_service = false;
};

/// A modem is up a few seconds after a restart; after power it also looks for the network.
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
inline constexpr auto recovery_again = static_cast<std::size_t>(
    std::ranges::find(recovery_ladder, true, &Rung::out_of_service) - recovery_ladder.begin());

/// A modem that gets into step again and again without ever answering a submit is not helped by that.
inline constexpr int stumbles_max = 3;
// between two that have nothing to do with each other
inline constexpr std::chrono::hours stumbles_forgotten{1};

class Recovery {
public:
    /// It did not answer, and draining helped. True: that is not enough any more.
    [[nodiscard]] constexpr bool stumbles_on(SteadyTime now) {
        stumbles_ = now - stumbled_at_ < stumbles_forgotten ? stumbles_ + 1 : 1;
        stumbled_at_ = now;
        return stumbles_ >= stumbles_max;
    }
    /// The next thing to try.
    constexpr Rung climb() {
        const auto rung = recovery_ladder.at(rung_);
        rung_ = rung_ + 1 < recovery_ladder.size() ? rung_ + 1 : recovery_again;
        return rung;
    }
    /// It is ready.
    constexpr void ready() { rung_ = stumbles_ < stumbles_max ? 0 : rung_; }
    /// It has answered a submit.
    constexpr void reset() {
        rung_ = 0;
        stumbles_ = 0;
    }

private:
    std::size_t rung_ = 0;
    int stumbles_ = 0;  // in a row
    SteadyTime stumbled_at_ = {};
};

}  // namespace smsrack::gsm
