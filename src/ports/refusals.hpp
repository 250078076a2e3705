/// How often the operator's rules refused messages of a client: a row for each client, rule and day.
///
/// The caller of a submit that was refused may keep no record of it, and the log is for the
/// operator of the box. These rows say it afterwards, and a flood of refusals changes a row instead
/// of making rows.
/// Unit:    submits.
/// Time:    days of UTC, as the clock was when they were refused; a clock that is set moves no row.
/// Bound:   refusal_rows_a_day of names of clients, then those of other names are counted as of
///          none; refusal_rows_max in all, then the oldest days go. RemoveOld removes what is older
///          than the messages that are kept.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/ids.hpp"
#include "src/ports/command.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace smsrack::ports {

/// All clients that a box may have, with a rule each.
inline constexpr std::int64_t refusal_rows_a_day = 1'000;
/// Ten such days, some 500 KiB.
inline constexpr std::int64_t refusal_rows_max = 10'000;

[[nodiscard]] constexpr std::int64_t day_of(WallTime at) {
    return std::chrono::floor<std::chrono::days>(at).time_since_epoch().count();
}

/// Of one client and rule within one day.
struct RefusalCount {
    std::string client = {};  ///< name; empty: the messages named none
    OwnerId owner = {};       ///< account, where no client is named
    std::string rule = {};    ///< "premium"
    std::int64_t count = 0;
    WallTime first_at = {};
    WallTime last_at = {};
};

/// Adds to the rows.
struct NoteRefusals {
    static constexpr Lane lane = Lane::upkeep;
    using Answer = void;
    std::vector<RefusalCount> refusals;
};

}  // namespace smsrack::ports
