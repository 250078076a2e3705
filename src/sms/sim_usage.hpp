/// What one SIM has sent recently, against its limits. Pure arithmetic, the same for the store,
/// which has the truth, and for the line, which asks before it begins.
///
/// Minute and hour slide: no 60 s and no 60 minutes ever hold more than the limit. Day and month
/// are those of a calendar.
/// Unit:    segments begun, whatever became of them: a carrier counts what it refuses too.
/// Time:    the WallTime of each call. Time that goes back frees no quota; what was counted is
///          treated as sent just now.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/clock_move.hpp"
#include "src/base/time_zone.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace smsrack {

enum class QuotaWindow : std::uint8_t { minute, hour, day, month, recipients };
inline constexpr std::size_t quota_window_count = 5;
inline constexpr std::array<std::string_view, quota_window_count> quota_window_names{
    "minute", "hour", "day", "month", "recipients"};

/// By window; absent: no such limit. Each at least 1.
struct QuotaLimits {
    std::array<std::optional<std::uint32_t>, quota_window_count> by_window = {};

    [[nodiscard]] const std::optional<std::uint32_t>& operator[](QuotaWindow window) const {
        return by_window.at(static_cast<std::size_t>(window));
    }
    [[nodiscard]] bool any() const;
};

/// Counts of the last 60 buckets and of the one that is half out: too much rather than too little.
class SlidingCount {
public:
    static constexpr std::size_t buckets = 61;
    static constexpr std::int64_t places = buckets;

    explicit SlidingCount(std::chrono::milliseconds bucket) : bucket_(bucket) {}

    void turn(WallTime at);
    /// The clock was set: what it concerns is as old as it was; what would lie ahead of the new time was now.
    void move(const ClockMove& move);
    void add(std::uint32_t segments);  ///< in the bucket of the last turn()
    void take_back(std::uint32_t segments);
    /// What was counted elsewhere by the same clock, too.
    void add(SlidingCount other);
    [[nodiscard]] std::uint32_t sum() const;
    /// When no more than `allowed` of what is counted now is left.
    [[nodiscard]] WallTime falls_to(std::uint32_t allowed) const;

    // -- for the store
    [[nodiscard]] std::int64_t newest() const { return newest_; }
    [[nodiscard]] const std::array<std::uint32_t, buckets>& counts() const { return counts_; }
    void restore(std::int64_t newest, const std::array<std::uint32_t, buckets>& counts);

private:
    [[nodiscard]] std::uint32_t& of(std::int64_t bucket);

    std::chrono::milliseconds bucket_;
    std::int64_t newest_ = 0;                         // bucket of the last turn()
    std::array<std::uint32_t, buckets> counts_ = {};  // by bucket number modulo their count
};

/// Counts of one day or month, by its number.
struct PeriodCount {
    std::int64_t period = 0;
    std::uint32_t count = 0;

    void turn(std::int64_t to);
    /// What was counted elsewhere, too: of the newer one of both periods.
    void add(PeriodCount other);
};

struct SimUsage {
    SlidingCount minute{std::chrono::seconds(1)};
    SlidingCount hour{std::chrono::minutes(1)};
    PeriodCount day = {};
    PeriodCount month = {};
    PeriodCount recipients = {};  ///< distinct ones of the month

    /// Before each question or count: what has left its window is forgotten.
    void turn(WallTime at, const CalendarSpan& span);
    /// Of the windows that slide; days and months are those of the calendar.
    void move(const ClockMove& move);
    void count(std::uint32_t segments, bool new_recipient);
    void take_back(std::uint32_t segments, bool new_recipient);
    /// What was counted elsewhere by the same clock, too; not the recipients, who may be the same.
    void add(const SimUsage& other);
    [[nodiscard]] std::uint32_t used(QuotaWindow window) const;
};

struct QuotaWait {
    WallTime until = {};
    QuotaWindow window = QuotaWindow::minute;  ///< the one that lasts longest
};

/// Nullopt if `segments` more may be begun now. More segments than a window's limit wait until that
/// window is empty, since they never fit.
[[nodiscard]] std::optional<QuotaWait> quota_wait(const SimUsage& turned, const QuotaLimits& limits,
                                                  const CalendarSpan& span, std::uint32_t segments,
                                                  bool new_recipient);

}  // namespace smsrack
