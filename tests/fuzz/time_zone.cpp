// A file of the time zone database, and the rule at its end: offsets that a zone can have, days that end behind their begin.
#include "src/base/time_zone.hpp"

#include "src/base/check.hpp"
#include "src/base/posix_zone.hpp"
#include "tests/fuzz/input.hpp"

#include <chrono>

namespace smsrack::fuzz {
namespace {

using namespace std::chrono_literals;

constexpr auto offset_max = 26h;  // RFC 8536 3.2: -89999 s to 93599 s

}  // namespace

int fuzz_time_zone(Octets input) {
    const std::string_view text = text_of(input);
    const auto zone = TimeZone::parse(text);
    const auto rule = PosixZone::parse(text);
    const std::chrono::sys_seconds begin = std::chrono::sys_days(std::chrono::year{2026} / 1 / 1);
    for (std::chrono::sys_seconds at = begin; at < begin + std::chrono::years(2); at += 101h) {
        if (rule) {
            const auto offset = rule->offset_at(at);
            SMSRACK_CHECK(-offset_max <= offset && offset <= offset_max);
        }
        if (zone) {
            const auto offset = zone->offset_at(at);
            SMSRACK_CHECK(-offset_max <= offset && offset <= offset_max);
            const CalendarSpan span = zone->span_of(at);
            SMSRACK_CHECK(span.day_start < span.day_end && span.day_start < span.month_end);
        }
    }
    SMSRACK_CHECK(zone || zone.error().code == Errc::protocol);
    return 0;
}

}  // namespace smsrack::fuzz
