/// A virtual probe: a refused message that goes the whole way except the modem, to measure what its
/// level would take now.
///
/// It was checked and segmented, and has gone through the store's queue and transaction without
/// leaving a row. From there its place in the queue of its group is watched: what was before it
/// must be sent, and what comes later at a higher level overtakes it. It ends where a line would be
/// free for it.
/// Unit:    segments.
/// Threads: one at a time.
/// Source:  [NSB] probes; queueing theory's virtual waiting time.
#pragma once

#include "src/base/clock.hpp"
#include "src/overload/load_carried.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace smsrack::overload {

class VirtualProbe {
public:
    /// `came`: when the message was asked for; `arrived`: segments accepted at its own level until now.
    VirtualProbe(SteadyTime came, SteadyTime queued, std::uint64_t arrived)
        : probe_{.came = came, .queued = queued, .arrived = arrived} {}
    explicit VirtualProbe(const ProbeCarried& left) : probe_(left) {}

    [[nodiscard]] const ProbeCarried& carried() const { return probe_; }
    [[nodiscard]] SteadyTime came() const { return probe_.came; }

    /// When a line was free for it. `work`: the work at its level and above; what has arrived at
    /// its own level since is behind it. `last_served`: when the work last became less.
    [[nodiscard]] std::optional<SteadyTime> ended(std::int64_t work, std::uint64_t arrived,
                                                  std::uint32_t able_lines,
                                                  std::optional<SteadyTime> last_served) const {
        const std::int64_t before = work - static_cast<std::int64_t>(arrived - probe_.arrived);
        if (before >= static_cast<std::int64_t>(able_lines)) {  // also where no line is able
            return std::nullopt;
        }
        return std::max(probe_.queued, last_served.value_or(probe_.queued));
    }

private:
    ProbeCarried probe_;
};

}  // namespace smsrack::overload
