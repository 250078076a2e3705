/// Where a modem is in its life, and what its line wants of it: read by all parts of GsmModem.
///
/// Threads: the line's thread.
#pragma once

#include "drivers/gsm/modem_states.hpp"

namespace smsrack::gsm {

struct ModemStatus {
    ModemState state = ModemState::closed;
    // What the line wants; each may be wanted without the others.
    bool held = false;       ///< nothing new is begun
    bool closing = false;    ///< and nothing more is read
    bool radio_off = false;  ///< when there is nothing to do

    [[nodiscard]] bool is_in_service() const {
        return state == ModemState::registering || state == ModemState::ready;
    }
};

}  // namespace smsrack::gsm
