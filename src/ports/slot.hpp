/// The modem and the SIM that a slot of the rack had last, as the store keeps them.
///
/// A slot is a [[modem]] of the configuration, known by its name; a modem is known by its IMEI, a
/// line by the SIM's ICCID, so that quota and history go where the SIM goes.
#pragma once

#include "src/base/clock.hpp"

#include <cstdint>
#include <string>

namespace smsrack::ports {

/// What becomes of a slot that has another SIM than the last time.
enum class SimPolicy : std::uint8_t {
    adopt,   ///< it is the slot's from now on
    warn,    ///< the same, with a notification
    refuse,  ///< nothing is sent until the one before is back
};

struct SlotSeen {
    std::string slot = {};
    std::string imei = {};
    std::string card = {};   ///< ICCID; "imsi:..." of a card that gives none
    bool keep_card = false;  ///< the card known before stays the slot's, if there is one
    WallTime at = {};
};

/// What was known before; empty: nothing.
struct SlotKnown {
    std::string imei = {};
    std::string card = {};
    std::string card_was_in = {};  ///< the other slot that had this card last
};

}  // namespace smsrack::ports
