/// The rule of a time zone for the years after its table: "CET-1CEST,M3.5.0,M10.5.0/3".
///
/// Unit:    seconds east of Greenwich.
/// Errors:  nullopt if the text is not such a rule.
/// Source:  POSIX.1-2017 8.3 TZ, with the hours of RFC 8536 3.3.1 (-167 to 167).
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

namespace smsrack {

class PosixZone {
public:
    [[nodiscard]] static std::optional<PosixZone> parse(std::string_view text);

    [[nodiscard]] std::chrono::seconds offset_at(std::chrono::sys_seconds time) const;

private:
    enum class DayKind : std::uint8_t { weekday_of_month, without_leap_day, day_of_year };
    /// When the clocks change, in the local time of before.
    struct Change {
        DayKind kind = DayKind::day_of_year;
        int month = 1;  // with weekday_of_month
        int week = 1;   // 5: the last
        int day = 0;    // of the week (0 Sunday), or of the year
        std::chrono::seconds time{7'200};
        [[nodiscard]] std::chrono::local_seconds in(std::chrono::year year) const;
    };
    class Reader;

    std::chrono::seconds standard_{0};
    std::optional<std::chrono::seconds> summer_ = {};
    Change begins_ = {};  // with summer_
    Change ends_ = {};
};

}  // namespace smsrack
