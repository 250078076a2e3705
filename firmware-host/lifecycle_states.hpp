/// The lifecycle of the service as a table of states.
#pragma once

#include "src/base/state_table.hpp"

#include <array>
#include <cstdint>

namespace smsrack::host {

enum class LifeState : std::uint8_t {
    starting,  ///< opening the store, making the objects
    running,   ///< the socket listens
    draining,  ///< no new work; what is in a modem's hand ends
    stopping,  ///< threads end, the store closes
};

enum class LifeEvent : std::uint8_t {
    listening,
    stop_asked,  ///< SIGTERM or SIGINT
    stop_again,  ///< a second one: at once; what is in flight becomes uncertain at the next start
    drained,     ///< nothing is in flight
    time_over,   ///< the bound of draining
};

using LifeRule = Rule<LifeState, LifeEvent>;

inline constexpr std::array life_rules{
    LifeRule{LifeState::starting, LifeEvent::listening, LifeState::running},
    LifeRule{LifeState::running, LifeEvent::stop_asked, LifeState::draining},
    LifeRule{LifeState::draining, LifeEvent::stop_again, LifeState::stopping},
    LifeRule{LifeState::draining, LifeEvent::drained, LifeState::stopping},
    LifeRule{LifeState::draining, LifeEvent::time_over, LifeState::stopping},
};
static_assert(!next(life_rules, LifeState::stopping, LifeEvent::stop_asked));

}  // namespace smsrack::host
