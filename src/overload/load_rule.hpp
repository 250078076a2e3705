/// The rule of overload protection: accept while max(T_recent, work ahead / measured rate) <= T_max.
///
/// Pure: what is known of a group and level comes in, the judgement goes out.
/// Unit:    segments; seconds.
/// Source:  [NSB], docs/papers.md 5; docs/decisions/0016-overload-protection.md has what the sources leave open, and
///          0036-parked-lines-are-capacity.md what parked lines count for.
#pragma once

#include "src/overload/response_model.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace smsrack::overload {

/// Of the normal distribution: exceeded in 1 of 740 cases, since those accepted at one time are
/// late together; in 1 of 10, for a client that keeps its time.
inline constexpr double three_deviations = 3;
inline constexpr double one_sided_90 = 1.282;

/// Parked lines are woken before the work ahead takes more than this part of T_max: the rest is for those that come meanwhile.
inline constexpr double wake_share = 0.5;

/// The work before a message of one group and level.
struct Standing {
    Seconds t_max{0};
    std::optional<Seconds> t_recent = {};  ///< nullopt: no recent message and no probe
    double ahead = 0;  ///< segments at this level and above, accepted and not taken by the network
    double held = 0;   ///< the same of those that were refused and come back at their time
    double below = 0;  ///< of lower levels, but encoded or in a modem's hand already
    double own = 1;    ///< segments of the message
    double lines = 0;  ///< that can send now; where none can and `later` is empty: that will
    /// Further lines: time until each can send, soonest first.
    std::span<const Seconds> later = {};
    bool parked = false;  ///< some of `later` are parked: how slow it was without them is no reason
    Service service = {};  ///< of such a line
    double above = 0;      ///< segments a second that are accepted at higher levels
    Seconds no_line{0};    ///< for this long no line could send
    /// How many standard deviations longer than its mean the work ahead may take.
    double doubt_factor = three_deviations;
};

enum class Why : std::uint8_t { accepted, work_ahead, slow, no_line };

struct Judgement {
    Why why = Why::accepted;
    Seconds t_ahead{0};  ///< until the work ahead is sent
    Seconds back{0};     ///< until it is short enough again, where `why` is work_ahead

    [[nodiscard]] bool accept() const { return why == Why::accepted; }
};

[[nodiscard]] Judgement judge(const Standing& standing);

/// Segments a second that are left for this level when all lines are there.
[[nodiscard]] double rate_left(const Standing& standing);

/// Segments that are left for this level within `time` from now.
[[nodiscard]] double sent_within(const Standing& standing, Seconds time);

/// From now until the network takes the message, as far as is known: for display, not for the rule.
[[nodiscard]] Seconds expected(const Standing& standing);

/// The lines of `standing` send the work ahead within wake_share of T_max, and what they sent lately was in time.
[[nodiscard]] bool has_lines_enough(const Standing& standing);

/// The fewest of `able` lines that can send now, and after them of those in `later` in the order given, that are enough for
/// `standing`, whose own lines are not read; all of them where even they are too few. 0: there is no work.
[[nodiscard]] std::size_t lines_needed(Standing standing, std::size_t able,
                                       std::span<const Seconds> later);

}  // namespace smsrack::overload
