/// Converts a span of time to a POSIX timespec.
#pragma once

#include <chrono>
#include <ctime>

namespace smsrack {

/// `time` is not negative.
[[nodiscard]] inline timespec timespec_of(std::chrono::nanoseconds time) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
    return {.tv_sec = static_cast<std::time_t>(seconds.count()),
            .tv_nsec = static_cast<long>((time - seconds).count())};
}

}  // namespace smsrack
