/// Decides whether the time stamp of a service centre (TP-SCTS) can be trusted.
///
/// Many small centres and alarm senders have no clock: zeros, a constant date, or nothing that is a
/// time. Such a stamp distinguishes no two messages, and does not make two PDUs the same one.
/// Source:  3GPP TS 23.040 9.2.3.11.
#pragma once

#include "src/base/clock.hpp"

#include <chrono>
#include <optional>

namespace smsrack::results {

/// A centre that writes its local time without the zone is up to 14 h ahead of UTC.
inline constexpr std::chrono::hours scts_ahead_max{24};
/// Centres try for 7 days at most as a rule, so a message is hardly older when it arrives.
inline constexpr std::chrono::hours scts_behind_max{8 * 24};

/// False too where our own clock is wrong: then nothing can be concluded from the stamp.
[[nodiscard]] constexpr bool is_credible(const std::optional<WallTime>& scts,
                                         WallTime received_at) {
    return scts && *scts <= received_at + scts_ahead_max && *scts >= received_at - scts_behind_max;
}

}  // namespace smsrack::results
