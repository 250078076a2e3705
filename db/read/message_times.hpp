/// The times of a message that a correction of the clock concerns, and whether its row lacks one.
///
/// Threads: any.
#pragma once

#include "db/engine/connection.hpp"
#include "src/base/clock_move.hpp"
#include "src/sms/message_states.hpp"

#include <chrono>
#include <cstdint>
#include <optional>

namespace smsrack::db {

struct MessageTimes {
    MessageState state = MessageState::queued;
    std::uint8_t flags = 0;
    bool has_topic = false;  ///< it was made for a pair
    WallTime created_at = {};
    WallTime expires_at = {};
    std::optional<WallTime> due_at = {};
    std::optional<WallTime> queued_at = {};

    [[nodiscard]] bool operator==(const MessageTimes&) const = default;
};

/// What a client scheduled has the client's times; a trigger's have ours.
[[nodiscard]] MessageTimes moved(const MessageTimes& times, const ClockMove& move);

/// The columns of a row of clock_walk, joined to a message that it has not reached; null otherwise.
struct WalkColumns {
    std::optional<WallTime> after = {};
    WallTime until = {};
    std::int64_t shift = 0;
    std::int64_t life_least = 0;

    [[nodiscard]] std::optional<ClockMove> move() const {
        if (!after) {
            return std::nullopt;
        }
        return ClockMove{.after = *after,
                         .until = until,
                         .by = std::chrono::milliseconds(shift),
                         .may_be_pause = life_least > 0};
    }
};

}  // namespace smsrack::db
