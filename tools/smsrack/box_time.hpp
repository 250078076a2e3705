/// What time it is, for a box without a battery clock: what its modems and the network say of it.
///
/// Unit:    UTC, milliseconds.
/// Source:  3GPP TS 27.007, 8.15 (+CCLK); 3GPP TS 23.040, 9.2.3.11 (TP-SCTS: when the centre had the message, so it is later now).
#pragma once

#include "src/base/clock.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace smsrack::cli {

/// `+CCLK: "26/11/22,23:18:27+04"`, the zone in quarters of an hour; a modem that gives none is taken to mean UTC. Nothing: no such time.
[[nodiscard]] std::optional<WallTime> modem_clock(std::string_view line);

struct TimeSources {
    WallTime box = {};                  ///< as the box has it: it was later at no time
    std::vector<WallTime> modems = {};  ///< their clocks; those never set say a time long gone
    std::optional<WallTime> newest_message = {};  ///< when a centre had the newest that came in
};

/// The time to set the box to, where it is a minute or more behind. Never back: what is dated stays in order. A modem's clock
/// counts where it is not behind box and messages, and where at least half of those agree with it, within five minutes.
[[nodiscard]] std::optional<WallTime> better_time(const TimeSources& sources);

}  // namespace smsrack::cli
