/// What the store keeps of the rack itself: its history, traffic by the hour, decisions of the scaling
/// controller, lines that the operator has blocked.
///
/// db/sqlite_store implements it, next to ports::Store.
/// Threads, Errors: as CommandPort.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/ids.hpp"
#include "src/base/interface.hpp"
#include "src/base/result.hpp"
#include "src/ports/command.hpp"
#include "src/ports/question.hpp"
#include "src/ports/rack_history.hpp"
#include "src/sms/level.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace smsrack::ports {

/// Hours are counted from 1970-01-01T00Z.
struct HourTraffic {
    std::int64_t hour = 0;
    std::uint64_t accepted = 0;
    std::uint64_t sent = 0;
};

[[nodiscard]] constexpr std::int64_t hour_of(WallTime at) {
    return std::chrono::floor<std::chrono::hours>(at).time_since_epoch().count();
}

/// A decision of the scaling controller, with the indicators that made it.
struct KeptDecision {
    WallTime at = {};
    std::uint32_t n = 0;
    int x = 0;
    std::uint32_t y = 0;
    std::string rules = {};  ///< "1,crash,early"
    std::string words = {};
    std::string line = {};  ///< that was parked or unparked; empty: none
    double load = 0;        ///< messages/s, to three decimals
    double node_rate = 0;
    std::optional<double> forecast = {};
    std::uint32_t samples = 0;
    std::array<std::uint32_t, 5> counts = {};  ///< samples that spoke for rules 1 to 5
    std::uint32_t crashed = 0;
};

/// When a group last sent a self-SMS at a level.
struct SelfSmsSent {
    GroupId group = {};
    Level level = 0;
    WallTime at = {};
};

/// What became of a line: "active", "pending", "cooling until ...", or a word of its modem.
struct LineState {
    EventSeq seq = {};  ///< of its event
    WallTime at = {};
    std::string state = {};
};

struct LineStatesFilter {
    std::string line = {};
    std::optional<WallTime> since = {};  ///< at or after
    std::optional<WallTime> until = {};  ///< before
    EventSeq before = {};                ///< only older ones (cursor); 0: from the newest
    std::size_t limit = 100;
};

/// Most places of the event log that one page looks at, since the log is in order of time alone: some
/// 50 ms of one reader.
inline constexpr std::int64_t line_states_walk_max = 200'000;

/// May be short or empty although there is more.
struct FoundLineStates {
    std::vector<LineState> rows = {};  ///< newest first
    EventSeq next = {};                ///< the cursor that continues; 0: all was looked at
};

class RackReader : public Interface {
public:
    /// Newest first.
    [[nodiscard]] virtual Result<std::vector<KeptDecision>> decisions(std::size_t limit) = 0;
    /// The hours from `first` on that had traffic, oldest first.
    [[nodiscard]] virtual Result<std::vector<HourTraffic>> traffic(std::int64_t first) = 0;
    /// Names.
    [[nodiscard]] virtual Result<std::vector<std::string>> blocked_lines() = 0;
    /// One for each group and level that has any among the newest thousands; in no order.
    [[nodiscard]] virtual Result<std::vector<SelfSmsSent>> self_sms_sent() = 0;
    /// The rack's series first, then those of the lines that have rows, by name. One series more
    /// than `series_max` says that there are more.
    [[nodiscard]] virtual Result<std::vector<HistorySeries>> history(
        const HistoryQuestion& question) = 0;
    /// As far as the event log goes back.
    [[nodiscard]] virtual Result<FoundLineStates> line_states(const LineStatesFilter& filter) = 0;
};

/// The operator blocked the line, or opened it again.
struct KeepGate {
    using Answer = void;
    std::string line = {};
    bool blocked = false;
    WallTime at;
};

/// Keeps a decision and its event; the oldest beyond a bound go.
struct KeepDecision {
    using Answer = void;
    KeptDecision decision;
};

/// Adds to the hour; hours of more than two years ago go.
struct CountTraffic {
    static constexpr Lane lane = Lane::upkeep;
    using Answer = void;
    HourTraffic traffic;
};

/// Self-SMS that did not come in and whose time was over before `overdue` are undelivered now, with
/// an event each.
struct LoseSelfSms {
    static constexpr Lane lane = Lane::upkeep;
    using Answer = void;
    WallTime overdue;
    WallTime at;
};

class RackStore
    : public CommandPort<KeepGate, KeepDecision, CountTraffic, NoteSignals, LoseSelfSms>,
      public QuestionPort<RackReader> {};

}  // namespace smsrack::ports
