/// Ids as types, so that one kind can't be passed for another.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace smsrack {

template <typename Tag, typename Rep>
struct Id {
    Rep value = 0;
    friend constexpr auto operator<=>(Id, Id) = default;
};

/// 0: none. Grows with time, is never used again.
using MessageId = Id<struct MessageTag, std::int64_t>;
using InboxId = Id<struct InboxTag, std::int64_t>;      ///< a received message, as MessageId
using AttemptId = Id<struct AttemptTag, std::int64_t>;  ///< one submit of one segment; 0: none
/// Place in the event log; 0: before the first.
using EventSeq = Id<struct EventTag, std::int64_t>;
using SimId = Id<struct SimTag, std::int64_t>;  ///< row of a SIM (ICCID) in the store; 0: not known
using ModemId = Id<struct ModemTag, std::uint16_t>;  ///< index of the [[modem]] entry, from 0
using GroupId = Id<struct GroupTag, std::int32_t>;   ///< row of a group's name in the store
/// Account that brought a message: its uid; 0: root or the service itself; above all uids: a token's name.
using OwnerId = Id<struct OwnerTag, std::int64_t>;

}  // namespace smsrack

template <typename Tag, typename Rep>
struct std::hash<smsrack::Id<Tag, Rep>> {  // NOLINT(cert-dcl58-cpp): for a type of our own
    std::size_t operator()(smsrack::Id<Tag, Rep> id) const noexcept {
        return std::hash<Rep>{}(id.value);
    }
};
