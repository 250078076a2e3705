/// Puts the content of a received message together from its segments.
///
/// Source:  3GPP TS 23.040 9.2.3.24.1. A surrogate pair may be cut between two segments, so
///          UTF-16BE is joined before it becomes UTF-8.
#pragma once

#include "src/sms/inbound.hpp"

#include <span>

namespace smsrack::pdu {

/// Text (UTF-8) or data of a message, of its segments in order of `seq`; missing ones are left out.
/// One segment of data, or one that could not be decoded, makes the whole message data: `payload`
/// of all. For ports::StoreRules::join_segments.
[[nodiscard]] InboundText join_segments(std::span<const InboundSegment> segments);

}  // namespace smsrack::pdu
