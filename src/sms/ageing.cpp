#include "src/sms/ageing.hpp"

#include <numeric>

namespace smsrack {

Standing standing(const AgeingRules& rules, const Turn& turn, WallTime now) {
    Standing at{.level = turn.first, .entered = turn.since};
    while (rules.on && at.level < level_max && now - at.entered > rules.max_wait.at(at.level)) {
        at.entered += rules.max_wait.at(at.level);
        ++at.level;
    }
    at.promoted = at.level == level_max && turn.first < level_max;
    return at;
}

std::chrono::milliseconds time_to_top(const AgeingRules& rules, Level first) {
    return std::accumulate(rules.max_wait.begin() + first, rules.max_wait.end() - 1,
                           std::chrono::milliseconds(0));
}

}  // namespace smsrack
