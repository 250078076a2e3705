/// Decides whether a received PDU is a repeat of an earlier one. Place and time decide, since two
/// messages may have the same content.
///
/// `before` has kept PDUs of the same fingerprint (SIM, content and TP-SCTS). A modem has one PDU at one
/// place: so the same place is the same PDU until it was erased, and two places are two messages. A
/// network that heard no RP-ACK sends the same PDU again, not before TR1N. docs/decisions/0031.
/// Time:    wall time; where the clock was set meanwhile, nothing is taken for a repeat by its time.
/// Source:  3GPP TS 24.011 10.2 (TR1N: 35 to 45 s), TS 27.005 3.4, 3.5 (+CNMA, +CMGD).
#pragma once

#include "src/ports/store_rules.hpp"

#include <chrono>
#include <span>

namespace smsrack::results {

/// The network waits 35 to 45 s for RP-ACK; a repeat comes at least that much later, with slack for
/// the time that a PDU waits in the modem.
inline constexpr std::chrono::seconds network_repeats_after{30};

/// Without a credible TP-SCTS: this long after it was read, a place may have been erased and filled
/// again while this service was down. Longer than a sweep (5 min), which reads again what can't be
/// erased.
inline constexpr std::chrono::minutes same_place_trusted{10};

/// Without a credible TP-SCTS: reports of one TP-MR that are further apart are of two submits.
inline constexpr std::chrono::minutes same_report_within{10};

/// For ports::StoreRules.
[[nodiscard]] ports::Judgement judge_segment(const InboundSegment& arrived,
                                             std::span<const ports::KeptBefore> before,
                                             std::chrono::seconds repeat_window);

/// For ports::StoreRules. A report changes nothing when it is applied twice, so if that can't be
/// determined it counts as a repeat: `repeat` or `another`.
[[nodiscard]] ports::Judgement judge_report(const StatusReport& arrived,
                                            std::span<const ports::KeptBefore> before);

}  // namespace smsrack::results
