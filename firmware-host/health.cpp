#include "firmware-host/health.hpp"

#include <utility>

namespace smsrack::host {

Health::Health(std::vector<const Worker*> workers, Starving starving, Log& log)
    : workers_(std::move(workers)), starving_(std::move(starving)), log_(log) {}

bool Health::check(SteadyTime now) {
    for (const Worker* worker : workers_) {
        const auto late = worker->late_by(now);
        note(worker->name(), late > late_max, late);
    }
    const SteadyTime since = starving_();
    const auto starving = since < now ? now - since : SteadyTime::duration::zero();
    note("messages", starving > starving_max, starving);
    return named_.empty();
}

void Health::note(const std::string& name, bool bad, std::chrono::nanoseconds lasting) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(lasting).count();
    if (bad && named_.insert(name).second) {
        log_.error("late", {{"what", name}, {"seconds", seconds}});
    } else if (!bad && named_.erase(name) > 0) {
        log_.info("no_longer_late", {{"what", name}});
    }
}

}  // namespace smsrack::host
