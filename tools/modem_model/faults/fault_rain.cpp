#include "tools/modem_model/faults/fault_rain.hpp"

#include "src/base/check.hpp"
#include "tools/modem_model/faults/chance.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::modem_sim {
namespace {

using std::chrono::nanoseconds;

nanoseconds seconds_of(double seconds) {
    return std::chrono::duration_cast<nanoseconds>(std::chrono::duration<double>(seconds));
}

}  // namespace

FaultRain::FaultRain(RainSettings settings, Random& random, SteadyTime start)
    : settings_(std::move(settings)), random_(random), lasting_(settings_.modems) {
    for (const FaultRow& row : faults()) {
        if (row.weight > 0 &&
            (settings_.kinds.empty() ||
             std::ranges::find(settings_.kinds, row.kind) != settings_.kinds.end())) {
            kinds_.push_back(row.kind);
            weights_ += static_cast<unsigned>(row.weight);
        }
    }
    plan_next(start);
}

SteadyTime FaultRain::due() const {
    return ends_.empty() ? next_ : std::min(next_, ends_.begin()->first);
}

TimedFault FaultRain::take() {
    if (!ends_.empty() && ends_.begin()->first <= next_) {
        TimedFault end = std::move(ends_.begin()->second);
        ends_.erase(ends_.begin());
        lasting_[end.modem] = false;
        return end;
    }
    SMSRACK_CHECK(next_ != never);
    const SteadyTime at = next_;
    plan_next(at);
    TimedFault begun{.modem = static_cast<unsigned>(random_.below(settings_.modems)),
                     .fault = make_fault(draw().kind)};
    const auto ended_by = fault_row(begun.fault.kind).ended_by;
    if (!ended_by) {
        return begun;
    }
    if (lasting_[begun.modem]) {
        begun.fault = make_fault(FaultKind::garbage);
        return begun;
    }
    lasting_[begun.modem] = true;
    const auto length = std::clamp(
        seconds_of(exponential(random_) * static_cast<double>(settings_.lasting.count())),
        nanoseconds(std::chrono::seconds(1)), nanoseconds(4 * settings_.lasting));
    ends_.emplace(at + length, TimedFault{.modem = begun.modem, .fault = make_fault(*ended_by)});
    return begun;
}

void FaultRain::plan_next(SteadyTime after) {
    const double per_second = settings_.per_hour / 3600 * settings_.modems;
    next_ = per_second > 0 && weights_ > 0 ? after + seconds_of(exponential(random_) / per_second)
                                           : never;
}

const FaultRow& FaultRain::draw() {
    auto ticket = static_cast<int>(random_.below(weights_));
    for (const FaultKind kind : kinds_) {
        const FaultRow& row = fault_row(kind);
        ticket -= row.weight;
        if (ticket < 0) {
            return row;
        }
    }
    return fault_row(kinds_.back());
}

}  // namespace smsrack::modem_sim
