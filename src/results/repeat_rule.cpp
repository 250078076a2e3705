#include "src/results/repeat_rule.hpp"

#include "src/results/centre_clock.hpp"

#include <algorithm>
#include <optional>

namespace smsrack::results {
namespace {

using ports::Arrival;
using ports::Judgement;
using ports::KeptBefore;

/// The index of the one that the modem still holds at this place; or that came directly and was not confirmed, so
/// that the network sends it again, and then the modem may put it anywhere.
std::optional<std::size_t> still_held(const std::optional<HeldPlace>& place,
                                      std::span<const KeptBefore> before) {
    std::optional<std::size_t> unconfirmed;
    for (std::size_t i = 0; i < before.size(); ++i) {
        const auto& held_at = before[i].held_at;
        if (held_at && held_at == place) {
            return i;
        }
        if (!unconfirmed && held_at && held_at->memory == HeldIn::direct) {
            unconfirmed = i;
        }
    }
    return unconfirmed;
}

/// The store may have taken nothing for longer than a network waits.
WallTime heard_at(const InboundSegment& arrived) {
    return arrived.heard_at.value_or(arrived.received_at);
}

/// The first of the two, where it was read and then waited for the store.
WallTime heard_at(const KeptBefore& kept) {
    return std::min(kept.received_at, kept.read_at);
}

/// It lay there unread while the other one was read at its own place, so it is no repeat of that.
bool lay_beside(const InboundSegment& arrived, const KeptBefore& kept) {
    return arrived.noted_at && *arrived.noted_at < kept.read_at;
}

/// The network may have sent it again. Sure of that is only what nothing speaks against.
Arrival judge_other(const InboundSegment& arrived, const KeptBefore& kept,
                    std::chrono::seconds repeat_window) {
    const auto age = heard_at(arrived) - heard_at(kept);
    if (kept.held_at && age < network_repeats_after) {
        return Arrival::another;  // two places held it at once, and no network is so fast
    }
    const bool is_lately = age >= std::chrono::seconds(0) && age <= repeat_window;
    if (!is_credible(arrived.scts, kept.received_at)) {
        return is_lately ? Arrival::maybe_repeat : Arrival::another;
    }
    const bool is_repeat =
        is_lately && age >= network_repeats_after && !kept.held_at && !lay_beside(arrived, kept);
    return is_repeat ? Arrival::repeat : Arrival::maybe_repeat;
}

template <typename Judge>
Judgement judge_all(std::span<const KeptBefore> before, Judge judge) {
    Judgement judged;
    for (std::size_t i = 0; i < before.size(); ++i) {
        const Arrival is = judge(before[i]);
        if (is > judged.is) {
            judged = {.is = is, .of = i};
        }
    }
    return judged;
}

}  // namespace

Judgement judge_segment(const InboundSegment& arrived, std::span<const KeptBefore> before,
                        std::chrono::seconds repeat_window) {
    if (const auto same = still_held(arrived.held_at, before)) {
        const KeptBefore& kept = before[*same];
        // Given directly is no place: it may have been confirmed without our knowing, and another came. A modem that has given one
        // directly in vain stores the next; and no network sends again so soon what the modem then stores.
        const bool is_at_place = kept.held_at->memory != HeldIn::direct;
        const bool is_stored_after = !is_at_place && arrived.held_at != kept.held_at;
        const bool may_be_again =
            !is_stored_after || heard_at(arrived) - heard_at(kept) >= network_repeats_after;
        const bool is_sure =
            may_be_again &&
            (is_credible(arrived.scts, kept.received_at) ||
             (is_at_place && arrived.received_at - kept.read_at <= same_place_trusted));
        return {.is = is_sure ? Arrival::repeat : Arrival::maybe_repeat, .of = *same};
    }
    return judge_all(
        before, [&](const KeptBefore& kept) { return judge_other(arrived, kept, repeat_window); });
}

Judgement judge_report(const StatusReport& arrived, std::span<const KeptBefore> before) {
    const auto same_time = std::ranges::find_if(before, [&](const KeptBefore& kept) {
        return is_credible(arrived.scts, kept.received_at);
    });
    if (same_time != before.end()) {
        return {.is = Arrival::repeat, .of = static_cast<std::size_t>(same_time - before.begin())};
    }
    const auto is_lately = [&](WallTime since) {
        const auto age = arrived.received_at - since;
        return age >= std::chrono::seconds(0) && age <= same_report_within;
    };
    if (const auto same = still_held(arrived.held_at, before)) {
        return {.is = is_lately(before[*same].read_at) ? Arrival::repeat : Arrival::another,
                .of = *same};
    }
    return judge_all(before, [&](const KeptBefore& kept) {
        return !kept.held_at && is_lately(kept.received_at) ? Arrival::repeat : Arrival::another;
    });
}

}  // namespace smsrack::results
