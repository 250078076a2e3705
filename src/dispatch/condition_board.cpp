#include "src/dispatch/condition_board.hpp"

#include <algorithm>
#include <iterator>

namespace smsrack::dispatch {

using ports::Condition;

std::vector<Condition> ConditionBoard::look(std::vector<Condition> conditions, WallTime now) {
    const std::lock_guard lock(mutex_);
    std::vector<Condition> shown;
    std::map<Key, Begun> lasting;
    for (Condition& one : conditions) {
        const Key key{one.kind, one.subject};
        const auto known = begun_.find(key);
        Begun begun = known == begun_.end() ? Begun{} : known->second;
        if (one.since != WallTime{}) {
            begun.since = one.since;  // it says so itself
        } else if (known == begun_.end() || begun.since > now) {
            begun.since = now;  // a begin in the future: the clock was set back
        }
        one.since = begun.since;
        begun.kept_until = WallTime::min();
        if (!begun.shown && now - begun.since >= one.patience) {
            begun.shown = true;
            say_begins(one);
        }
        lasting.emplace(key, begun);
        if (begun.shown) {
            shown.push_back(std::move(one));
        }
    }
    for (const auto& [key, begun] : begun_) {
        if (lasting.contains(key)) {
            continue;
        }
        if (now < begun.kept_until) {
            lasting.emplace(key, begun);
        } else if (begun.shown) {
            say_ends(key);
        }
    }
    begun_ = std::move(lasting);
    return shown;
}

std::vector<ports::ConditionCarried> ConditionBoard::carried() const {
    const std::lock_guard lock(mutex_);
    std::vector<ports::ConditionCarried> left;
    for (const auto& [key, begun] : begun_) {
        left.push_back(
            {.name = std::string(ports::condition_names.at(static_cast<std::size_t>(key.first))),
             .subject = key.second,
             .since = begun.since,
             .shown = begun.shown});
    }
    return left;
}

void ConditionBoard::adopt(const std::vector<ports::ConditionCarried>& left, WallTime now) {
    const std::lock_guard lock(mutex_);
    for (const ports::ConditionCarried& one : left) {
        const auto* const name = std::ranges::find(ports::condition_names, one.name);
        if (name != ports::condition_names.end()) {
            const auto kind = static_cast<ports::ConditionKind>(
                std::distance(ports::condition_names.begin(), name));
            begun_.insert_or_assign(
                Key{kind, one.subject},
                Begun{
                    .since = one.since, .shown = one.shown, .kept_until = now + seen_again_within});
        }
    }
}

void ConditionBoard::say_begins(const Condition& one) {
    log_.warn("condition_begins",
              {{"condition", one.name()},
               {"subject", one.subject},
               {"stops", ports::stops_names.at(static_cast<std::size_t>(one.stops))},
               {"what", one.text}});
}

void ConditionBoard::say_ends(const Key& key) {
    log_.info("condition_ends",
              {{"condition", ports::condition_names.at(static_cast<std::size_t>(key.first))},
               {"subject", key.second}});
}

}  // namespace smsrack::dispatch
