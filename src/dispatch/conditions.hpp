/// What is wrong with the rack now, from what its parts show. dispatch/condition_board adds since when.
#pragma once

#include "src/ports/condition.hpp"
#include "src/ports/pause.hpp"
#include "src/ports/rack_view.hpp"
#include "src/ports/store_health.hpp"

#include <optional>
#include <vector>

namespace smsrack::dispatch {

/// What is looked at.
struct RackSeen {
    std::vector<ports::LineView> lines = {};
    std::vector<ports::GroupLoad> groups = {};  ///< what overload protection goes by
    std::vector<ports::Pause> pauses = {};
    std::optional<ports::StoreTrouble> store = {};
    bool clock_doubted = false;
    std::vector<ports::Condition> box = {};  ///< what the host sees: disk, late threads, this start
};

/// The gravest first. Pure.
[[nodiscard]] std::vector<ports::Condition> conditions_of(const RackSeen& seen);

/// Messages are accepted, and at least one group sends.
[[nodiscard]] bool is_ready(const std::vector<ports::Condition>& conditions);

}  // namespace smsrack::dispatch
