/// Since when each condition lasts, which of them have lasted long enough, and a line in the log when one begins or ends.
///
/// A condition is the same one while its kind and subject are the same; its words may change.
/// Bound:   as many as conditions_of() gives: some for each group and 25 of modems.
/// Time:    wall time of the caller: when a condition was first seen.
/// Threads: any; a short lock.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/log.hpp"
#include "src/ports/condition.hpp"
#include "src/ports/condition_carried.hpp"

#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::dispatch {

class ConditionBoard {
public:
    /// A run that begins sees what its modems lack only when they have been tried: until then a condition of the run before lasts.
    static constexpr std::chrono::minutes seen_again_within{2};

    /// `log` outlives the object.
    explicit ConditionBoard(Log& log) : log_(log) {}

    /// `conditions` hold now. Gives those whose patience is over, each with its begin.
    [[nodiscard]] std::vector<ports::Condition> look(std::vector<ports::Condition> conditions,
                                                     WallTime now);

    /// For the next run.
    [[nodiscard]] std::vector<ports::ConditionCarried> carried() const;
    /// What the run before left. Kinds that this version does not know are left out.
    void adopt(const std::vector<ports::ConditionCarried>& left, WallTime now);

private:
    using Key = std::pair<ports::ConditionKind, std::string>;  // kind, subject
    struct Begun {
        WallTime since = {};
        bool shown = false;
        WallTime kept_until = WallTime::min();  // though it is not seen
    };

    void say_begins(const ports::Condition& one);
    void say_ends(const Key& key);

    Log& log_;
    mutable std::mutex mutex_;  // guards begun_
    std::map<Key, Begun> begun_;
};

}  // namespace smsrack::dispatch
