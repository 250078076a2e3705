#include "src/dispatch/condition_board.hpp"

namespace smsrack::dispatch {

std::vector<ports::Condition> ConditionBoard::look(std::vector<ports::Condition> conditions,
                                                   WallTime now) {
    const std::lock_guard lock(mutex_);
    std::map<Key, WallTime> lasting;
    for (ports::Condition& one : conditions) {
        const Key key{one.kind, one.subject};
        const auto known = since_.find(key);
        const bool is_dated = one.since != WallTime{};
        if (known == since_.end()) {
            log_.warn("condition_begins",
                      {{"condition", one.name()},
                       {"subject", one.subject},
                       {"stops", ports::stops_names.at(static_cast<std::size_t>(one.stops))},
                       {"what", one.text}});
        }
        if (!is_dated) {
            one.since = known == since_.end() ? now : known->second;
        }
        lasting.emplace(key, one.since);
    }
    for (const auto& [key, since] : since_) {
        if (!lasting.contains(key)) {
            log_.info(
                "condition_ends",
                {{"condition", ports::condition_names.at(static_cast<std::size_t>(key.first))},
                 {"subject", key.second}});
        }
    }
    since_ = std::move(lasting);
    return conditions;
}

}  // namespace smsrack::dispatch
