/// By what the PIN tries of a card are remembered: its ICCID; where it tells none, modem and slot.
#pragma once

#include <string>
#include <string_view>

namespace smsrack::ports {

struct CardSeen {
    std::string_view iccid = {};  ///< empty: it tells none
    std::string_view imei = {};   ///< of its modem
    std::string_view port = {};
};

[[nodiscard]] inline std::string pin_card(const CardSeen& seen) {
    return seen.iccid.empty() ? "imei:" + std::string(seen.imei) + "@" + std::string(seen.port)
                              : std::string(seen.iccid);
}

}  // namespace smsrack::ports
