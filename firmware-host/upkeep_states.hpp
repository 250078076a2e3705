/// An upgrade or a reload while the service still runs, as a table. Every failure leads back to
/// idle, and the service continues as before, or stops.
#pragma once

#include "src/base/state_table.hpp"

#include <array>
#include <cstdint>

namespace smsrack::host {

enum class UpkeepState : std::uint8_t {
    idle,
    asking,            ///< the new program is started; its identity is awaited
    trying,            ///< its migration, on a copy of the database
    ending_lines,      ///< lines that are removed or rebuilt finish what they hold
    holding_lines,     ///< all lines end what can't be left half way
    stopping_threads,  ///< of lines and dispatch; clients are served meanwhile
    holding_clients,   ///< no request is read; those in flight are answered
    frozen,            ///< the run of the service is over; main does the rest
    called_off,        ///< the service stops: no order is taken any more
};

enum class UpkeepEvent : std::uint8_t {
    upgrade_asked,
    reload_asked,
    knows_database,  ///< the new program, as it is
    would_migrate,   ///< and that was agreed to
    ready_to_hold,   ///< those that must have ended
    lines_held,
    threads_stopped,
    clients_held,
    failed,
    service_stops,  ///< in idle: what is under way has failed before
};

using UpkeepRule = Rule<UpkeepState, UpkeepEvent>;

inline constexpr std::array upkeep_rules{
    UpkeepRule{UpkeepState::idle, UpkeepEvent::upgrade_asked, UpkeepState::asking},
    UpkeepRule{UpkeepState::idle, UpkeepEvent::reload_asked, UpkeepState::ending_lines},
    UpkeepRule{UpkeepState::idle, UpkeepEvent::service_stops, UpkeepState::called_off},
    UpkeepRule{UpkeepState::asking, UpkeepEvent::knows_database, UpkeepState::holding_lines},
    UpkeepRule{UpkeepState::asking, UpkeepEvent::would_migrate, UpkeepState::trying},
    UpkeepRule{UpkeepState::asking, UpkeepEvent::failed, UpkeepState::idle},
    UpkeepRule{UpkeepState::trying, UpkeepEvent::knows_database, UpkeepState::holding_lines},
    UpkeepRule{UpkeepState::trying, UpkeepEvent::failed, UpkeepState::idle},
    UpkeepRule{UpkeepState::ending_lines, UpkeepEvent::ready_to_hold, UpkeepState::holding_lines},
    UpkeepRule{UpkeepState::ending_lines, UpkeepEvent::failed, UpkeepState::idle},
    UpkeepRule{UpkeepState::holding_lines, UpkeepEvent::lines_held, UpkeepState::stopping_threads},
    UpkeepRule{UpkeepState::holding_lines, UpkeepEvent::failed, UpkeepState::idle},
    UpkeepRule{UpkeepState::stopping_threads, UpkeepEvent::threads_stopped,
               UpkeepState::holding_clients},
    UpkeepRule{UpkeepState::stopping_threads, UpkeepEvent::failed, UpkeepState::idle},
    UpkeepRule{UpkeepState::holding_clients, UpkeepEvent::clients_held, UpkeepState::frozen},
    UpkeepRule{UpkeepState::holding_clients, UpkeepEvent::failed, UpkeepState::idle},
};
static_assert(!next(upkeep_rules, UpkeepState::frozen, UpkeepEvent::failed));
static_assert(!next(upkeep_rules, UpkeepState::called_off, UpkeepEvent::upgrade_asked));
static_assert(!next(upkeep_rules, UpkeepState::trying, UpkeepEvent::upgrade_asked));

}  // namespace smsrack::host
