/// When the messages of a trigger are sent, and with which batch label.
///
/// Time:    batches begin at multiples of their length since 1970, UTC, so that those of a restart are the same.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/time_text.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::trigger {

/// The next one after `now`. Nullopt: at once.
[[nodiscard]] inline std::optional<WallTime> next_batch(WallTime now, std::chrono::seconds length) {
    if (length.count() == 0) {
        return std::nullopt;
    }
    const auto since = std::chrono::floor<std::chrono::seconds>(now).time_since_epoch();
    return WallTime((since / length + 1) * length);
}

/// "welcome:2026-11-21": so that one day of a trigger can be paused or taken back.
[[nodiscard]] inline std::string batch_label(std::string_view trigger, WallTime now) {
    constexpr std::size_t date_octets = 10;
    return std::string(trigger) + ":" + time_text(now).substr(0, date_octets);
}

/// The first time of day `at`, UTC, after `now`.
[[nodiscard]] inline WallTime next_at(WallTime now, std::chrono::minutes at) {
    const WallTime today = std::chrono::floor<std::chrono::days>(now) + at;
    return today > now ? today : today + std::chrono::days(1);
}

}  // namespace smsrack::trigger
