/// An operator's order that messages wait: those of the whole rack, of a group, or of a batch.
///
/// What a line has in flight is finished, and so is a long message that has begun. The time to live
/// of a message (ttl_s) continues.
#pragma once

#include "src/base/clock.hpp"
#include "src/sms/message.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace smsrack::ports {

/// The numbers are stored: never change one.
enum class PauseScope : std::uint8_t { rack = 0, group = 1, batch = 2 };
inline constexpr std::array<std::string_view, 3> pause_scope_names{"rack", "group", "batch"};

struct Pause {
    PauseScope scope = PauseScope::rack;
    std::string name = {};  ///< of the group or batch; empty for the rack
    WallTime since = {};
    BatchId batch = {};      ///< with batch
    bool cancelled = false;  ///< with batch: for good
};

/// When a message between two attempts resumes if its pause has no end yet.
inline constexpr WallTime no_end_yet{
    std::chrono::sys_days(std::chrono::year(9999) / std::chrono::December / 31)};

/// The first of `pauses` that keeps a message of this group and batch (its label) waiting; null: none does.
[[nodiscard]] const Pause* pause_of(std::span<const Pause> pauses, std::string_view group,
                                    std::string_view batch);

/// "the rack is paused since 2026-11-21T19:00:00.000Z".
[[nodiscard]] std::string pause_text(const Pause& pause);

}  // namespace smsrack::ports
