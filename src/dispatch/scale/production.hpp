/// Which lines are in production, how much each of them had to do, and which one goes or comes next.
///
/// Unit:    a line's share of the last period that it was busy, 0..1.
/// Time:    steady; UTC for pauses of lines.
/// Threads: one at a time.
/// Source:  [Elastic] nodes in production; CAgent: by what each can do.
#pragma once

#include "src/base/clock.hpp"
#include "src/ports/rack_view.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace smsrack::dispatch {

class Production {
public:
    struct Settings {
        std::chrono::milliseconds period{30'000};  ///< a pause that is shorter takes no line out
        /// a submit that takes longer does
        std::chrono::nanoseconds slow_after = std::chrono::nanoseconds::max();
    };
    struct Counted {
        std::uint32_t lines = 0;    ///< in production
        std::uint32_t crashed = 0;  ///< that were in it at the last look, and are not
        double busy = 0;            ///< seconds, of all lines together
        double cpu = 0;             ///< mean share of those in production
    };
    using Lines = std::vector<ports::LineView>;

    /// `clock` outlives it.
    Production(Settings settings, const Clock& clock) : settings_(settings), clock_(clock) {}

    /// `lines` as the board has them, with what was ordered and is not carried out yet.
    void note_orders(Lines& lines) const;
    /// A line was let in, or parked.
    void ordered(std::size_t line, bool in);

    /// `seconds` since the last look; 0: it is the first.
    [[nodiscard]] Counted look(const Lines& lines, double seconds);

    [[nodiscard]] bool has(const ports::LineView& line) const;
    [[nodiscard]] std::size_t count(const Lines& lines) const;
    [[nodiscard]] std::size_t count(const Lines& lines, std::string_view group) const;

    /// The one with the least work; never the last of its group, whose messages would wait for ever, nor one for which
    /// `may_park` says no. nullopt if there is none.
    template <typename MayPark>
    [[nodiscard]] std::optional<std::size_t> to_park(const Lines& lines, MayPark may_park) const {
        std::optional<std::size_t> chosen;
        for (std::size_t i = 0; i < lines.size(); ++i) {
            if (has(lines[i]) && count(lines, lines[i].group) >= 2 && may_park(lines[i]) &&
                (!chosen || seen_[i].share <= seen_[*chosen].share)) {
                chosen = i;
            }
        }
        return chosen;
    }
    /// Of the group whose lines have most to do; one that is registered rather than one that is not. nullopt if none is parked.
    [[nodiscard]] std::optional<std::size_t> to_unpark(const Lines& lines) const;
    /// Of this group the healthy one that is ready first. nullopt if none is parked and healthy.
    [[nodiscard]] std::optional<std::size_t> to_wake(const Lines& lines,
                                                     std::string_view group) const;

private:
    struct Seen {
        std::chrono::nanoseconds busy{0};          // up to the last look
        double share = 0;                          // of the last period that it was busy
        bool up = false;                           // it was in production at the last look
        std::optional<SteadyTime> let_in_at = {};  // nullopt: it was parked
    };

    const Settings settings_;
    const Clock& clock_;
    std::vector<Seen> seen_;
};

}  // namespace smsrack::dispatch
