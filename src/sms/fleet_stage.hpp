/// Where a message is that the boxes of a fleet share, as one box knows it.
///
/// The engine (src/ports/cluster_engine) has the truth; this is what a box still has after a restart.
/// `kept` says whether the engine knows the message at all: a box that is alone may begin and end one
/// that it could not put there yet.
#pragma once

#include "src/base/state_table.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace smsrack {

/// The numbers are stored: never change one.
enum class FleetStage : std::uint8_t {
    here = 0,     ///< accepted by this box, which may not begin it yet
    away = 1,     ///< waits in the engine, or another box has it
    held = 2,     ///< this box has it; if the box dies, another one gets it
    firm = 3,     ///< this box alone may begin it
    ended = 4,    ///< it ended here, and the engine does not know it yet
    settled = 5,  ///< nothing is left to do
};
inline constexpr std::size_t fleet_stage_count = 6;
inline constexpr std::array<std::string_view, fleet_stage_count> fleet_stage_names{
    "here", "away", "held", "firm", "ended", "settled"};

/// The numbers are stored: never change one.
enum class Kept : std::uint8_t {
    here = 0,      ///< on the disk of the accepting box alone
    one_disk = 1,  ///< and in the engine, on one disk of it
    cluster = 2,   ///< and on two disks of the engine
};
inline constexpr std::array<std::string_view, 3> kept_names{"here", "one_disk", "cluster"};

enum class FleetEvent : std::uint8_t {
    gone,             ///< the engine says that it waits there, or that another box has it
    taken,            ///< the engine says that this box holds it
    firmed,           ///< this box may begin it from now on
    lent,             ///< this box has not begun it, and does not
    ended,            ///< it came to an end, or to another one, by this box
    ended_elsewhere,  ///< another box reports its end
    settled,          ///< the engine knows its end
};
inline constexpr std::size_t fleet_event_count = 7;

using FleetRule = Rule<FleetStage, FleetEvent>;

inline constexpr std::array fleet_rules{
    FleetRule{FleetStage::here, FleetEvent::gone, FleetStage::away},
    FleetRule{FleetStage::here, FleetEvent::taken, FleetStage::held},
    FleetRule{FleetStage::here, FleetEvent::firmed, FleetStage::firm},
    FleetRule{FleetStage::here, FleetEvent::ended_elsewhere, FleetStage::settled},
    FleetRule{FleetStage::away, FleetEvent::taken, FleetStage::held},
    FleetRule{FleetStage::away, FleetEvent::ended_elsewhere, FleetStage::settled},
    FleetRule{FleetStage::held, FleetEvent::gone, FleetStage::away},
    FleetRule{FleetStage::held, FleetEvent::firmed, FleetStage::firm},
    FleetRule{FleetStage::held, FleetEvent::ended_elsewhere, FleetStage::settled},
    FleetRule{FleetStage::firm, FleetEvent::lent, FleetStage::held},
    FleetRule{FleetStage::firm, FleetEvent::ended, FleetStage::ended},
    FleetRule{FleetStage::ended, FleetEvent::settled, FleetStage::settled},
    // A report that comes later.
    FleetRule{FleetStage::settled, FleetEvent::ended, FleetStage::ended},
};
static_assert(!next(fleet_rules, FleetStage::firm, FleetEvent::gone));
static_assert(!next(fleet_rules, FleetStage::away, FleetEvent::firmed));

}  // namespace smsrack
