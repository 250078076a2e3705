#include "src/dispatch/scale/flow_meter.hpp"

#include <algorithm>
#include <numeric>

namespace smsrack::dispatch {

FlowMeter::FlowMeter(const Clock& clock) : clock_(clock), responses_(clock) {
    spread_.add(clock.steady(), 0);  // its first window begins
}

void FlowMeter::accepted(std::uint64_t messages) {
    const std::lock_guard lock(mutex_);
    in_.add(clock_.steady(), messages);
    spread_.add(clock_.steady(), messages);
    totals_.accepted += messages;
}

/// What was scheduled, or held by a person, began to wait for a line at another time than it was accepted. What was tried more than once waited for
/// its recipient's network, which tells nothing of the load.
void FlowMeter::sent(const OutMessage& message, std::chrono::milliseconds took, bool was_held) {
    const overload::Seconds whole = std::max(took, std::chrono::milliseconds::zero());
    const bool first_try = message.failures == 0 && !message.scheduled && !was_held;
    if (first_try) {
        responses_.responded(message.group, message.level, whole);
    }
    const std::lock_guard lock(mutex_);
    out_.add(clock_.steady());
    ++totals_.sent;
    if (message.scheduled || was_held) {
        return;
    }
    Recent& recent = levels_.at(message.level);
    recent.took_ms[recent.count++ % recent_max] = took.count();
    if (first_try) {
        waits_.add(clock_.steady(), {.whole_s = whole.count(),
                                     .served_s = overload::Seconds(message.served).count()});
    }
}

FlowMeter::Totals FlowMeter::totals() const {
    const std::lock_guard lock(mutex_);
    return totals_;
}

double FlowMeter::rate_in() const {
    const std::lock_guard lock(mutex_);
    return in_.per_second(clock_.steady());
}

double FlowMeter::rate_out() const {
    const std::lock_guard lock(mutex_);
    return out_.per_second(clock_.steady());
}

ports::Arrivals FlowMeter::arrivals() const {
    const std::lock_guard lock(mutex_);
    const auto figures = spread_.look(clock_.steady());
    return {.messages = figures.arrivals,
            .windows = figures.windows,
            .window = stats::DispersionWindow::length,
            .dispersion = figures.index};
}

std::optional<std::int64_t> FlowMeter::t_recent_ms(Level level) const {
    const std::lock_guard lock(mutex_);
    const Recent& recent = levels_.at(level);
    const auto samples = static_cast<std::int64_t>(std::min(recent.count, recent_max));
    if (samples == 0) {
        return std::nullopt;
    }
    return std::accumulate(recent.took_ms.begin(), recent.took_ms.begin() + samples,
                           std::int64_t{0}) /
           samples;
}

std::optional<ports::MeasuredWaits> FlowMeter::waits() const {
    // intake, commit and codec take less: who took longer has waited
    constexpr double path_s = 0.02;
    const std::lock_guard lock(mutex_);
    const std::size_t count = waits_.size();
    if (count == 0) {
        return std::nullopt;
    }
    double whole = 0;
    double served = 0;
    std::size_t waited = 0;
    for (std::size_t age = 0; age < count; ++age) {
        const Wait& wait = waits_.back(age).value;
        whole += wait.whole_s;
        served += wait.served_s;
        waited += wait.whole_s - wait.served_s > path_s ? 1 : 0;
    }
    const auto n = static_cast<double>(count);
    return ports::MeasuredWaits{.messages = count,
                                .wq_s = std::max(0.0, whole - served) / n,
                                .ws_s = whole / n,
                                .p_wait = static_cast<double>(waited) / n,
                                .mu = served > 0 ? n / served : 0};
}

}  // namespace smsrack::dispatch
