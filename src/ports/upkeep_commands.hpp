/// Store commands on all rows: a clock that was set, events of the box, what grows old.
///
/// Threads, Errors: as CommandPort.
#pragma once

#include "src/base/clock_move.hpp"
#include "src/ports/command.hpp"
#include "src/sms/event.hpp"

#include <cstddef>
#include <optional>

namespace smsrack::ports {

/// Moves the times of messages that were dated by another clock, so that none expires too early or
/// too late; a time that a client named is left. Answers how many.
/// Once for each move, and before any command that is dated by the new clock: a message that was
/// dated before it and comes to the disk behind it is moved too.
struct MoveTimes {
    static constexpr Refused refused = Refused::insist;
    using Answer = std::size_t;
    ClockMove move;
};

/// Takes number and text out of up to `limit` rows in a final state that are older than the two
/// times; nullopt: of none. Answers how many were looked at; fewer than `limit`: done for now.
struct Anonymise {
    static constexpr Lane lane = Lane::upkeep;
    using Answer = std::size_t;
    std::optional<WallTime> messages_before = {};
    std::optional<WallTime> inbox_before = {};
    std::size_t limit = 0;
};

/// Keeps an event that is not a message's: modem.state, service.notice.
struct KeepEvent {
    using Answer = void;
    Event event;
};

/// Removes up to `limit` rows in a final state older than the two times, and events, rows of the
/// audit, rows of refusals and hours of the history older than `messages_before`; makes minutes of
/// the history hours. Answers how many; fewer than `limit`: done for now.
struct RemoveOld {
    static constexpr Lane lane = Lane::upkeep;
    using Answer = std::size_t;
    WallTime messages_before;
    WallTime inbox_before;
    std::size_t limit = 0;
};

}  // namespace smsrack::ports
