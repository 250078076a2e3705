/// Whether this box has a seat in its fleet, as a table.
///
/// A seat that is lost (no answer, an unknown outcome, another epoch) is taken again by EnterFleet.
/// What is firm is compared with the engine before the box counts as seated. An engine that has forgotten something is
/// closed until a person orders a rebuild; then all boxes put back what they have, and wait for each other.
#pragma once

#include "src/base/state_table.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace smsrack::cluster {

/// In all but the first two it has a seat, and beats.
enum class SeatState : std::uint8_t { away, entering, closed, returning, comparing, seated };
inline constexpr std::array<std::string_view, 6> seat_state_names{
    "away", "entering", "closed", "returning", "comparing", "seated"};

enum class SeatEvent : std::uint8_t {
    asks,      ///< EnterFleet was posted
    entered,   ///< the engine has given a new epoch
    doubted,   ///< it has, and it has forgotten something
    asked,     ///< it has, and boxes have to put back what they have
    all_back,  ///< all boxes have
    compared,  ///< what is firm here is firm there
    lost,      ///< the engine does not answer, or knows another epoch
};

using SeatRule = Rule<SeatState, SeatEvent>;

inline constexpr std::array seat_rules{
    SeatRule{SeatState::away, SeatEvent::asks, SeatState::entering},
    SeatRule{SeatState::entering, SeatEvent::entered, SeatState::comparing},
    SeatRule{SeatState::entering, SeatEvent::doubted, SeatState::closed},
    SeatRule{SeatState::entering, SeatEvent::asked, SeatState::returning},
    SeatRule{SeatState::entering, SeatEvent::lost, SeatState::away},
    SeatRule{SeatState::closed, SeatEvent::lost, SeatState::away},
    SeatRule{SeatState::returning, SeatEvent::all_back, SeatState::comparing},
    SeatRule{SeatState::returning, SeatEvent::lost, SeatState::away},
    SeatRule{SeatState::comparing, SeatEvent::compared, SeatState::seated},
    SeatRule{SeatState::comparing, SeatEvent::lost, SeatState::away},
    SeatRule{SeatState::seated, SeatEvent::lost, SeatState::away},
};
static_assert(!next(seat_rules, SeatState::entering, SeatEvent::compared));
static_assert(!next(seat_rules, SeatState::closed, SeatEvent::all_back));

}  // namespace smsrack::cluster
