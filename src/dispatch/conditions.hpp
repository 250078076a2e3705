/// What is wrong with the rack now, from what its parts show, and since when.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/log.hpp"
#include "src/ports/condition.hpp"
#include "src/ports/pause.hpp"
#include "src/ports/rack_view.hpp"
#include "src/ports/store_health.hpp"

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::dispatch {

/// What is looked at.
struct RackSeen {
    std::vector<ports::LineView> lines = {};
    std::vector<ports::Pause> pauses = {};
    std::optional<ports::StoreTrouble> store = {};
    bool clock_doubted = false;
    std::vector<ports::Condition> box = {};  ///< what the host sees: disk, late threads, this start
};

/// The gravest first. Pure.
[[nodiscard]] std::vector<ports::Condition> conditions_of(const RackSeen& seen);

/// Messages are accepted, and at least one group sends.
[[nodiscard]] bool is_ready(const std::vector<ports::Condition>& conditions);

/// Since when each condition lasts, and a line in the log when one begins or ends.
///
/// A condition is the same one while its kind and subject are the same; its words may change.
/// Bound:   two conditions for each group and some ten more.
/// Time:    wall time of the caller: when a condition was first seen.
/// Threads: any; a short lock.
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
