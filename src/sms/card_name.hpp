/// The name by which a SIM card is known: its ICCID, or its IMSI where the card says no ICCID.
///
/// Threads: values.
#pragma once

#include <string>
#include <string_view>

namespace smsrack {

/// Begins the name of a card that says no ICCID.
inline constexpr std::string_view without_iccid = "imsi:";

[[nodiscard]] inline std::string card_name(const std::string& iccid, const std::string& imsi) {
    return iccid.empty() ? std::string(without_iccid) + imsi : iccid;
}

}  // namespace smsrack
