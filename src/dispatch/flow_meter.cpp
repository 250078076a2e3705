#include "src/dispatch/flow_meter.hpp"

#include <algorithm>
#include <numeric>

namespace smsrack::dispatch {

void FlowMeter::accepted(std::uint64_t messages) {
    const std::lock_guard lock(mutex_);
    in_.add(clock_.steady(), messages);
}

void FlowMeter::sent(Level level, std::chrono::milliseconds took) {
    const std::lock_guard lock(mutex_);
    out_.add(clock_.steady());
    Recent& recent = levels_.at(level);
    recent.took_ms[recent.count++ % recent_] = took.count();
}

double FlowMeter::rate_in() const {
    const std::lock_guard lock(mutex_);
    return in_.per_second(clock_.steady());
}

double FlowMeter::rate_out() const {
    const std::lock_guard lock(mutex_);
    return out_.per_second(clock_.steady());
}

std::optional<std::int64_t> FlowMeter::t_recent_ms(Level level) const {
    const std::lock_guard lock(mutex_);
    const Recent& recent = levels_.at(level);
    const auto samples = static_cast<std::int64_t>(std::min(recent.count, recent_));
    if (samples == 0) {
        return std::nullopt;
    }
    return std::accumulate(recent.took_ms.begin(), recent.took_ms.begin() + samples,
                           std::int64_t{0}) /
           samples;
}

}  // namespace smsrack::dispatch
