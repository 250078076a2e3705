/// Counts the seconds in which a submit would have been accepted, and those in which it would have been refused, by why.
///
/// The share of `accepting` in their sum is the availability of the service.
/// Unit:    whole seconds; the rest of a look is counted by the next one.
/// Time:    steady, of the caller. A time between two looks gets what the second one sees.
/// Threads: the loop thread. A loop that is late answers no submit either, so a long time without a look is counted as that.
#pragma once

#include "src/base/clock.hpp"
#include "src/ports/rack_view.hpp"
#include "src/stats/stats.hpp"

#include <chrono>
#include <cstdint>

namespace smsrack::dispatch {

/// What a submit of the top level would be answered. The names are part of the metrics and never change.
enum class Door : std::uint8_t {
    accepting,
    some_groups,  ///< overload protection refuses it in a group, but not in all
    overloaded,   ///< overload protection refuses it in every group
    full,         ///< [queue] capacity is reached
    storage,      ///< nothing can be written
};

/// `capacity`: [queue] capacity.
[[nodiscard]] Door door_of(const ports::RackStatus& rack, std::int64_t capacity);

class Availability {
public:
    /// A loop that looks later than this did not answer meanwhile: its looks are 2 s apart.
    static constexpr std::chrono::seconds answers_within{10};

    /// Counts from `from` on. `stats` outlives the object.
    Availability(std::int64_t capacity, stats::Stats& stats, SteadyTime from)
        : capacity_(capacity), stats_(stats), counted_until_(from) {}

    void look(const ports::RackStatus& rack, SteadyTime now);

private:
    const std::int64_t capacity_;
    stats::Stats& stats_;
    SteadyTime counted_until_;
};

}  // namespace smsrack::dispatch
