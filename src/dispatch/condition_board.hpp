/// Since when each condition lasts, and a line in the log when one begins or ends.
///
/// A condition is the same one while its kind and subject are the same; its words may change.
/// Bound:   two conditions for each group and some ten more.
/// Time:    wall time of the caller: when a condition was first seen, which is within the caller's period of its begin.
/// Threads: any; a short lock.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/log.hpp"
#include "src/ports/condition.hpp"

#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::dispatch {

class ConditionBoard {
public:
    /// `log` outlives the object.
    explicit ConditionBoard(Log& log) : log_(log) {}

    /// `conditions` hold now. Gives the same, each with its begin.
    [[nodiscard]] std::vector<ports::Condition> look(std::vector<ports::Condition> conditions,
                                                     WallTime now);

private:
    using Key = std::pair<ports::ConditionKind, std::string>;  // kind, subject

    Log& log_;
    std::mutex mutex_;  // guards since_
    std::map<Key, WallTime> since_;
};

}  // namespace smsrack::dispatch
