#include "firmware-host/health.hpp"

#include <fmt/format.h>
#include <utility>

namespace smsrack::host {
namespace {

constexpr const char* starving_name = "messages";

}  // namespace

Health::Health(std::vector<const Worker*> workers, Starving starving, Log& log)
    : workers_(std::move(workers)), starving_(std::move(starving)), log_(log) {}

bool Health::check(SteadyTime now) {
    for (const Worker* worker : workers_) {
        const auto late = worker->late_by(now);
        note(worker->name(), late > late_max, late);
    }
    const SteadyTime since = starving_();
    const auto starving = since < now ? now - since : SteadyTime::duration::zero();
    note(starving_name, starving > starving_max, starving);
    const std::lock_guard lock(mutex_);
    return named_.empty();
}

std::vector<ports::Condition> Health::late() const {
    std::vector<ports::Condition> late;
    const std::lock_guard lock(mutex_);
    for (const std::string& name : named_) {
        late.push_back(
            {.kind = ports::ConditionKind::late,
             .subject = name,
             .text = name == starving_name
                         ? fmt::format("messages that are ready have waited longer than {} s "
                                       "although a modem is free",
                                       starving_max.count())
                         : fmt::format("the thread {} has not moved for more than {} s", name,
                                       late_max.count()),
             .advice = "systemd restarts the service; if not, `sudo systemctl restart smsrackd`. "
                       "`journalctl -u smsrackd` shows what came before"});
    }
    return late;
}

void Health::note(const std::string& name, bool bad, std::chrono::nanoseconds lasting) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(lasting).count();
    const std::lock_guard lock(mutex_);
    if (bad && named_.insert(name).second) {
        log_.error("late", {{"what", name}, {"seconds", seconds}});
    } else if (!bad && named_.erase(name) > 0) {
        log_.info("no_longer_late", {{"what", name}});
    }
}

}  // namespace smsrack::host
