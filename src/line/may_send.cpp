#include "src/line/may_send.hpp"

#include <algorithm>
#include <chrono>

namespace smsrack::line {
namespace {

/// TP-VP has steps of 5 minutes, so this much later it is still as good as true.
constexpr std::chrono::seconds validity_fresh{10};

bool route_lets(const OutMessage& message, SimId sim, const Route& route) {
    if (message.self_sms) {
        return route.other_can_send && !(route.to_itself && *route.other_can_send);
    }
    if (!message.sticky || route.known == sim) {
        return true;
    }
    return route.other_can_send && (route.known == SimId{} || !*route.other_can_send);
}

}  // namespace

std::optional<ports::QuotaPause> quota_pause(const SimQuota* quota, const queue::OutSlot& slot,
                                             std::uint8_t segment) {
    if (quota == nullptr) {
        return std::nullopt;
    }
    // Before the codec has run there are only the segment rows of the first attempt.
    const std::size_t segments = std::max(slot.pdus.size(), slot.message.segments.size());
    return quota->wait(static_cast<std::uint32_t>(segments - segment),
                       recipient_hash(slot.message.body.to));
}

MaySendAnswer may_send(const Sender& sender, const Route& route, const queue::OutSlot& slot,
                       const Clock& clock) {
    const OutMessage& message = slot.message;
    const bool has_begun = message.pinned_sim != SimId{};
    if (has_begun && message.pinned_sim != sender.sim) {
        return {MaySend::other_sim};
    }
    if (!has_begun && !sender.gate_open) {
        return {MaySend::gate_shut};
    }
    if (is_over(message, clock)) {
        return {MaySend::expired};
    }
    if (!has_begun && !route_lets(message, sender.sim, route)) {
        return {MaySend::other_sim};
    }
    if (const auto pause = quota_pause(sender.quota, slot, slot.first_segment)) {
        const bool takes = sender.quota->takes(recipient_hash(message.body.to));
        return {takes ? MaySend::no_room : MaySend::no_recipient, pause};
    }
    return {slot.encoded_at + validity_fresh > clock.wall() ? MaySend::yes : MaySend::stale};
}

}  // namespace smsrack::line
