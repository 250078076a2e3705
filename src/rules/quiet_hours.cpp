#include "src/rules/quiet_hours.hpp"

#include <algorithm>

namespace smsrack::rules {
namespace {

using std::chrono::days;
using std::chrono::minutes;

constexpr minutes a_day{24 * 60};

/// The first instant after `at` that the place's clocks call this; where a change of theirs leaves none, one after it.
WallTime instant_of(const TimeZone& zone, std::chrono::local_time<minutes> local, WallTime at) {
    const auto as_if_utc = WallTime(local.time_since_epoch());
    const WallTime guess = as_if_utc - zone.offset_at(as_if_utc);
    const WallTime there = as_if_utc - zone.offset_at(guess);
    const bool called_so = there + zone.offset_at(there) == as_if_utc;
    if (called_so && there > at) {
        return there;
    }
    return std::max(there, as_if_utc - zone.offset_at(at));  // as if the clocks were not changed
}

}  // namespace

std::optional<WallTime> QuietHours::end(Level level, WallTime at) const {
    if (from == to || level >= below) {
        return std::nullopt;
    }
    const std::chrono::local_time<std::chrono::milliseconds> local(
        (at + zone.offset_at(at)).time_since_epoch());
    const auto midnight = std::chrono::floor<days>(local);
    const auto now = local - midnight;
    const bool over_midnight = from > to;
    const bool quiet = over_midnight ? now >= from || now < to : now >= from && now < to;
    if (!quiet) {
        return std::nullopt;
    }
    const bool ends_tomorrow = over_midnight && now >= from;
    return instant_of(zone, midnight + to + (ends_tomorrow ? a_day : minutes(0)), at);
}

minutes time_of_day(std::string_view text) {
    const auto two = [&](std::size_t at) { return (text[at] - '0') * 10 + (text[at + 1] - '0'); };
    return text.size() == 5 ? minutes(two(0) * 60 + two(3)) : minutes(0);
}

}  // namespace smsrack::rules
