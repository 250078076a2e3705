/// Finds the time for a box without a battery clock, from its modems and the network.
///
/// Unit:    UTC, milliseconds.
/// Source:  3GPP TS 27.007, 8.15 (+CCLK); 3GPP TS 23.040, 9.2.3.11 (TP-SCTS: when the centre had the message, so it is later now).
#pragma once

#include "src/base/clock.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace smsrack::cli {

/// `+CCLK: "26/11/22,23:18:27+04"`, the zone in quarters of an hour. Nullopt if there is no such
/// time, or if its zone is missing, which can't be guessed.
[[nodiscard]] std::optional<WallTime> modem_clock(std::string_view line);

struct TimeSources {
    WallTime box = {};                  ///< as the box has it: it was later at no time
    std::vector<WallTime> modems = {};  ///< their clocks; those never set say a time long gone
    /// When centres had those that came in within the last quarter of an hour.
    std::vector<WallTime> messages = {};
};

/// The time to set the box to, where it is a minute or more behind: the latest of two or more witnesses that lie within a quarter of an hour and are
/// half of all at least. Never back: what is dated stays in order; so one that is wrong alone must not set it.
[[nodiscard]] std::optional<WallTime> better_time(const TimeSources& sources);

}  // namespace smsrack::cli
