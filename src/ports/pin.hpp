/// One automatic entry of a configured PIN into a SIM, as the store keeps it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace smsrack::ports {

struct PinTry {
    std::string card = {};    ///< ICCID; if the modem gives none: IMEI and slot
    std::uint64_t value = 0;  ///< keyed hash of the PIN; the key is not in the database
    int attempts_left = 0;    ///< that the card says it has, before this one
};

struct CardSeen {
    std::string_view iccid = {};  ///< empty: it gives none
    std::string_view imei = {};   ///< of its modem
    std::string_view port = {};
};

/// The key under which the PIN tries of a card are kept: its ICCID, or modem and slot if the card
/// gives none.
[[nodiscard]] inline std::string pin_card(const CardSeen& seen) {
    return seen.iccid.empty() ? "imei:" + std::string(seen.imei) + "@" + std::string(seen.port)
                              : std::string(seen.iccid);
}

enum class PinVerdict : std::uint8_t {
    enter,    ///< the try is on disk
    refused,  ///< this value failed with this card before
    later,    ///< the disk can't be written now
};

}  // namespace smsrack::ports
