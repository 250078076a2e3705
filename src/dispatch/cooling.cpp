#include "src/dispatch/cooling.hpp"

#include <algorithm>
#include <iterator>
#include <ranges>

namespace smsrack::dispatch {

bool Cooling::is_the_sims(const SubmitOutcome& outcome) const {
    if (outcome.kind != OutcomeKind::refused) {
        return false;
    }
    const CauseClass cause_class = errors_.info(outcome.cause).cause_class;
    return cause_class == CauseClass::quota || cause_class == CauseClass::network;
}

std::optional<std::chrono::milliseconds> Cooling::ended(SimId sim, const SubmitOutcome& outcome,
                                                        SteadyTime now) {
    if (outcome.kind == OutcomeKind::accepted) {
        records_.erase(sim);
        return std::nullopt;
    }
    if (settings_.after == 0 || !is_the_sims(outcome)) {
        return std::nullopt;
    }
    CoolingCarried& record = records_[sim];
    record.sim = sim;
    if (++record.refusals < settings_.after) {
        return std::nullopt;
    }
    constexpr std::uint32_t doublings_max = 20;
    const auto doubled =
        settings_.first * (std::int64_t{1} << std::min(record.pauses++, doublings_max));
    const std::chrono::milliseconds pause = std::min(doubled, settings_.most);
    record.refusals = settings_.after - 1;  // after the pause one refusal is enough
    record.until = now + pause;
    return pause;
}

std::optional<SteadyTime> Cooling::until(SimId sim, SteadyTime now) const {
    const auto record = records_.find(sim);
    return record != records_.end() && record->second.until > now
               ? std::optional(record->second.until)
               : std::nullopt;
}

std::vector<CoolingCarried> Cooling::carried() const {
    std::vector<CoolingCarried> left;
    std::ranges::copy(records_ | std::views::values, std::back_inserter(left));
    return left;
}

void Cooling::adopt(const std::vector<CoolingCarried>& left) {
    for (const CoolingCarried& one : left) {
        if (settings_.after > 0) {
            records_[one.sim] = one;
        }
    }
}

}  // namespace smsrack::dispatch
