/// The key under which the PIN tries of a card are kept: its ICCID, or modem and slot if the card
/// gives none.
#pragma once

#include <string>
#include <string_view>

namespace smsrack::ports {

struct CardSeen {
    std::string_view iccid = {};  ///< empty: it gives none
    std::string_view imei = {};   ///< of its modem
    std::string_view port = {};
};

[[nodiscard]] inline std::string pin_card(const CardSeen& seen) {
    return seen.iccid.empty() ? "imei:" + std::string(seen.imei) + "@" + std::string(seen.port)
                              : std::string(seen.iccid);
}

}  // namespace smsrack::ports
