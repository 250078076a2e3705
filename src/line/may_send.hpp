/// Whether a line may send a message now: the one rule for dispatch, which gives messages to lines,
/// and for a line, which takes its next message by itself.
///
/// Threads: any that holds the slot; SimQuota has its own lock.
#pragma once

#include "src/line/sim_quota.hpp"
#include "src/queue/out_slot.hpp"

#include <cstdint>
#include <optional>

namespace smsrack::line {

/// The line that would send, as the caller knows it.
struct Sender {
    bool gate_open = true;
    SimId sim = {};
    const SimQuota* quota = nullptr;  ///< null: the SIM has none
};

/// What is known about other SIMs for one message.
struct Route {
    SimId known = {};        ///< with `sticky`: the SIM that the recipient knows; 0: none yet
    bool to_itself = false;  ///< with `self_sms`: it goes to this SIM's own number
    /// Whether the SIM that the message should rather go out with can send; nullopt: the caller
    /// sees no other line, so dispatch must decide.
    std::optional<bool> other_can_send = {};
};

enum class MaySend : std::uint8_t {
    yes,
    gate_shut,
    expired,       ///< it must be ended instead
    other_sim,     ///< it waits for another SIM, or dispatch must choose the SIM
    no_room,       ///< the quota has no room for the rest of the message yet
    no_recipient,  ///< the quota has no recipient left this month
    stale,         ///< its TP-VP is no longer true: it must be refreshed before
};

struct MaySendAnswer {
    MaySend what = MaySend::yes;
    std::optional<ports::QuotaPause> pause = {};  ///< with no_room and no_recipient
};

/// nullopt: the quota has room for all segments from `segment` on, so a long message does not stop
/// half way.
[[nodiscard]] std::optional<ports::QuotaPause> quota_pause(const SimQuota* quota,
                                                           const queue::OutSlot& slot,
                                                           std::uint8_t segment);

/// The first reason against it, in the order of MaySend. A message that has begun belongs to its
/// SIM: neither the gate nor another SIM's claim stops it.
[[nodiscard]] MaySendAnswer may_send(const Sender& sender, const Route& route,
                                     const queue::OutSlot& slot, const Clock& clock);

}  // namespace smsrack::line
