/// The states of a message and of its segments, as a table.
///
/// States only move forward, but for uncertain -> sending (proof that nothing was sent, or the
/// policy `resend`), and between `queued` and `elsewhere`: with [cluster] a message that another box
/// may begin is `elsewhere`. Without [cluster] no message has this state.
///
/// Source:  docs/api.md, "States".
#pragma once

#include "src/base/state_table.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace smsrack {

/// The numbers are stored: never change one.
enum class MessageState : std::uint8_t {
    scheduled = 0,
    queued = 1,
    sending = 2,
    uncertain = 3,
    sent = 4,
    delivered = 5,
    undelivered = 6,
    failed = 7,
    expired = 8,
    cancelled = 9,
    elsewhere = 10,
};
inline constexpr std::size_t message_state_count = 11;

/// The network has accepted it.
[[nodiscard]] constexpr bool was_sent(MessageState state) {
    return state == MessageState::sent || state == MessageState::delivered ||
           state == MessageState::undelivered;
}

inline constexpr std::array<std::string_view, message_state_count> message_state_names{
    "scheduled",   "queued", "sending", "uncertain", "sent",     "delivered",
    "undelivered", "failed", "expired", "cancelled", "elsewhere"};

[[nodiscard]] constexpr std::string_view message_state_name(MessageState state) {
    return message_state_names.at(static_cast<std::size_t>(state));
}
[[nodiscard]] std::optional<MessageState> message_state_of(std::string_view name);

enum class MessageEvent : std::uint8_t {
    due,       ///< not_before has come
    attempt,   ///< an attempt is on disk, its PDU may leave
    accepted,  ///< the network took it
    silence,   ///< the outcome is unknown
    not_sent,  ///< proof that nothing went out, or policy `resend`
    delivery,  ///< a report says delivered
    refusal,   ///< a report says it will never be
    give_up,   ///< permanent error, retries spent, or outcome unknown for too long
    too_late,  ///< ttl_s is over, here or at the service centre
    cancel,    ///< on request
    shared,    ///< not_before has come, and the fleet decides which box sends it
    firm,      ///< this box alone may begin it now
    lent,      ///< another box may begin it: this one has not, and does not
};

using MessageRule = Rule<MessageState, MessageEvent>;

/// For a message of one segment and for each segment of a longer one.
inline constexpr std::array message_rules{
    MessageRule{MessageState::scheduled, MessageEvent::due, MessageState::queued},
    MessageRule{MessageState::scheduled, MessageEvent::shared, MessageState::elsewhere},
    MessageRule{MessageState::scheduled, MessageEvent::too_late, MessageState::expired},
    MessageRule{MessageState::scheduled, MessageEvent::cancel, MessageState::cancelled},
    MessageRule{MessageState::queued, MessageEvent::attempt, MessageState::sending},
    MessageRule{MessageState::queued, MessageEvent::lent, MessageState::elsewhere},
    MessageRule{MessageState::queued, MessageEvent::too_late, MessageState::expired},
    MessageRule{MessageState::queued, MessageEvent::cancel, MessageState::cancelled},
    MessageRule{MessageState::queued, MessageEvent::give_up, MessageState::failed},
    MessageRule{MessageState::sending, MessageEvent::attempt, MessageState::sending},
    MessageRule{MessageState::sending, MessageEvent::not_sent, MessageState::sending},
    MessageRule{MessageState::sending, MessageEvent::accepted, MessageState::sent},
    MessageRule{MessageState::sending, MessageEvent::silence, MessageState::uncertain},
    MessageRule{MessageState::sending, MessageEvent::give_up, MessageState::failed},
    MessageRule{MessageState::sending, MessageEvent::too_late, MessageState::expired},
    MessageRule{MessageState::sending, MessageEvent::cancel, MessageState::cancelled},
    MessageRule{MessageState::uncertain, MessageEvent::not_sent, MessageState::sending},
    MessageRule{MessageState::uncertain, MessageEvent::lent, MessageState::elsewhere},
    MessageRule{MessageState::uncertain, MessageEvent::accepted, MessageState::sent},
    MessageRule{MessageState::uncertain, MessageEvent::delivery, MessageState::delivered},
    MessageRule{MessageState::uncertain, MessageEvent::refusal, MessageState::undelivered},
    MessageRule{MessageState::uncertain, MessageEvent::give_up, MessageState::failed},
    MessageRule{MessageState::uncertain, MessageEvent::too_late, MessageState::expired},
    MessageRule{MessageState::sent, MessageEvent::delivery, MessageState::delivered},
    MessageRule{MessageState::sent, MessageEvent::refusal, MessageState::undelivered},
    MessageRule{MessageState::sent, MessageEvent::too_late, MessageState::expired},
    MessageRule{MessageState::elsewhere, MessageEvent::firm, MessageState::queued},
    // What another box reports of it.
    MessageRule{MessageState::elsewhere, MessageEvent::silence, MessageState::uncertain},
    MessageRule{MessageState::elsewhere, MessageEvent::accepted, MessageState::sent},
    MessageRule{MessageState::elsewhere, MessageEvent::delivery, MessageState::delivered},
    MessageRule{MessageState::elsewhere, MessageEvent::refusal, MessageState::undelivered},
    MessageRule{MessageState::elsewhere, MessageEvent::give_up, MessageState::failed},
    MessageRule{MessageState::elsewhere, MessageEvent::too_late, MessageState::expired},
    MessageRule{MessageState::elsewhere, MessageEvent::cancel, MessageState::cancelled},
};
static_assert(!next(message_rules, MessageState::delivered, MessageEvent::attempt));
static_assert(!next(message_rules, MessageState::sending, MessageEvent::delivery));
static_assert(!next(message_rules, MessageState::elsewhere, MessageEvent::attempt));

/// True where no row leads on: delivered, undelivered, failed, expired, cancelled. (`sent` without
/// a report asked is an end too; that is for the caller to know.)
[[nodiscard]] bool is_final(MessageState state);

/// The worst of the segments' states, from best to worst: delivered, sent, sending, queued,
/// uncertain, cancelled, undelivered, expired, failed. (docs/api.md puts cancelled last; but
/// segments are cancelled because another one failed, and then the message has failed.) A message
/// that has begun and has queued segments left is `sending`. At least one segment.
[[nodiscard]] MessageState worst_of(std::span<const MessageState> segments);

/// True where the segments' states differ.
[[nodiscard]] bool is_partial(std::span<const MessageState> segments);

}  // namespace smsrack
