#include "src/trigger/event_age.hpp"

#include "src/base/time_text.hpp"

#include <algorithm>
#include <charconv>

namespace smsrack::trigger {
namespace {

constexpr double last_second = 253'402'300'799;  // of the year 9999, as time_text() can say it

}  // namespace

Result<WallTime> event_time(std::string_view text) {
    if (auto time = time_of(text)) {
        return time;
    }
    double seconds = 0;
    const auto [end, fault] =
        std::from_chars(text.data(), text.data() + text.size(), seconds, std::chars_format::fixed);
    if (fault != std::errc() || end != text.data() + text.size() ||
        !(seconds >= 0 && seconds <= last_second)) {
        return fail(Errc::bad_request,
                    "not a time such as \"2026-11-21T22:46:00Z\", and not seconds since 1970");
    }
    return WallTime(
        std::chrono::floor<std::chrono::milliseconds>(std::chrono::duration<double>(seconds)));
}

SteadyTime AgeLimit::fresh_until(WallTime happened, WallTime now, SteadyTime steady) const {
    if (max.count() == 0) {
        return never;
    }
    // Centuries would not fit into the steady clock's nanoseconds.
    const auto age = std::clamp<std::chrono::milliseconds>(
        now - happened, std::chrono::milliseconds(0), max + std::chrono::milliseconds(1));
    return steady + (max - age);
}

}  // namespace smsrack::trigger
