/// One automatic entry of a configured PIN into a SIM, as the store keeps it.
#pragma once

#include <cstdint>
#include <string>

namespace smsrack::ports {

struct PinTry {
    std::string card = {};    ///< ICCID; if the modem gives none: IMEI and slot
    std::uint64_t value = 0;  ///< keyed hash of the PIN; the key is not in the database
    int attempts_left = 0;    ///< that the card says it has, before this one
};

enum class PinVerdict : std::uint8_t {
    enter,    ///< the try is on disk
    refused,  ///< this value failed with this card before
    later,    ///< the disk can't be written now
};

}  // namespace smsrack::ports
