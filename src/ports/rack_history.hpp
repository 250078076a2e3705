/// The history of the rack: what was sent, failed and received, how much waited and how strong the
/// signals were, by the minute and later by the hour.
///
/// db counts by itself what it commits; only the signals are given to it.
/// Unit:    minutes since 1970-01-01T00Z; messages; dBm.
/// Time:    UTC. Minutes are kept for history_minutes_keep, then whole hours become one row.
#pragma once

#include "src/base/clock.hpp"
#include "src/ports/command.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace smsrack::ports {

inline constexpr std::chrono::hours history_minutes_keep{48};

[[nodiscard]] constexpr std::int64_t minute_of(WallTime at) {
    return std::chrono::floor<std::chrono::minutes>(at).time_since_epoch().count();
}

/// The first minute that has a row of its own at `now`: the minutes before are rows of whole hours.
[[nodiscard]] constexpr std::int64_t first_kept_minute(WallTime now) {
    return minute_of(std::chrono::floor<std::chrono::hours>(now - history_minutes_keep));
}

struct LineSignal {
    std::string line = {};
    std::optional<int> dbm = {};  ///< nullopt: the modem reports none
};

/// How strong the signals are at the end of a minute, of all lines. The store writes the minute
/// that is over in the same batch, if anything happened in it: about once a minute.
struct NoteSignals {
    static constexpr Lane lane = Lane::upkeep;
    using Answer = void;
    std::vector<LineSignal> lines;
};

/// What is asked of the history: the steps from `from` to before `to`.
struct HistoryQuestion {
    std::int64_t from = 0;  ///< a multiple of `step`
    std::int64_t to = 0;    ///< likewise
    std::int64_t step = 1;
    std::string only = {};       ///< this line, and the rack; empty: all lines
    std::size_t series_max = 1;  ///< the rack included
};

/// One step. `waiting` and `signal` are the last ones written in it; nullopt if none was.
struct HistoryPoint {
    std::uint64_t sent = 0;                    ///< messages that the network took whole
    std::uint64_t failed = 0;                  ///< failed, expired or undelivered
    std::uint64_t received = 0;                ///< whole ones
    std::optional<std::int64_t> waiting = {};  ///< queued messages; of the rack alone
    std::optional<int> signal = {};            ///< dBm; 0: the modem reported none
};

struct HistorySeries {
    std::string line = {};                  ///< empty: the rack
    std::vector<HistoryPoint> points = {};  ///< one for each step
};

}  // namespace smsrack::ports
