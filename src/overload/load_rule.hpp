/// The rule of overload protection: accept while max(T_recent, work ahead / measured rate) <= T_max.
///
/// Pure: what is known of a group and level comes in, the judgement goes out.
/// Unit:    segments; seconds.
/// Source:  [NSB], algorithms.md 5; docs/decisions/0016-overload-protection.md has what the sources leave open.
#pragma once

#include "src/overload/response_model.hpp"

#include <cstdint>
#include <optional>

namespace smsrack::overload {

/// Of the normal distribution: exceeded in 1 of 740 cases, since those accepted at one time are late together; in 1 of 10,
/// for one who keeps its time.
inline constexpr double three_deviations = 3;
inline constexpr double one_sided_90 = 1.282;

/// What stands before a message of one group and level.
struct Standing {
    Seconds t_max{0};
    std::optional<Seconds> t_recent = {};  ///< nothing: no recent message and no probe
    double ahead = 0;  ///< segments at this level and above, accepted and not taken by the network
    double held = 0;   ///< the same of those who were refused and come back at their time
    double below = 0;  ///< of lower levels, but encoded or in a modem's hand already
    double own = 1;    ///< segments of the message
    double lines = 0;  ///< that can send, or will
    Service service = {};  ///< of such a line
    double above = 0;      ///< segments a second that are accepted at higher levels
    Seconds no_line{0};    ///< for so long no line could send
    double doubt_factor =
        three_deviations;  ///< by so many standard deviations the work ahead may take longer than its mean
};

enum class Why : std::uint8_t { accepted, work_ahead, slow, no_line };

struct Judgement {
    Why why = Why::accepted;
    Seconds t_ahead{0};  ///< until the work ahead is sent
    Seconds back{0};     ///< until it is short enough again, where `why` is work_ahead

    [[nodiscard]] bool accept() const { return why == Why::accepted; }
};

[[nodiscard]] Judgement judge(const Standing& standing);

/// Segments a second that are left for this level.
[[nodiscard]] double rate_left(const Standing& standing);

/// From now until the network takes the message, as far as can be told: for people, not for the rule.
[[nodiscard]] Seconds expected(const Standing& standing);

}  // namespace smsrack::overload
