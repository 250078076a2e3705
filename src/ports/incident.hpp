/// Per-line counters of incidents: a rack's health at a glance.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace smsrack::ports {

enum class Incident : std::uint8_t {
    drained,         ///< out of step, and brought back with ESC, silence and AT
    reopened,        ///< the port was closed and opened again
    reset,           ///< AT+CFUN=1 was tried
    power_cycled,    ///< its power line, or DTR, was pulsed
    out_of_service,  ///< nothing of that helped
    restarted,       ///< [EBAS] it had lost our mark: the modem restarted
    reconnected,     ///< [EBAS] it still had our mark: only the connection was gone
    call_refused,    ///< a voice call was hung up
    modem_changed,   ///< another modem (IMEI) than the slot had last
    sim_changed,     ///< another SIM (ICCID) than the slot had last
    self_sms_lost,   ///< a self-SMS that it sent did not come in
    pdu_unreadable,  ///< a received PDU stayed unreadable: kept as it is, and erased
    sim_elsewhere,   ///< another box of the fleet has a SIM with the same ICCID
};

inline constexpr std::size_t incident_count = 13;

inline constexpr std::array<std::string_view, incident_count> incident_names{
    "drained",       "reopened",       "reset",        "power_cycled",  "out_of_service",
    "restarted",     "reconnected",    "call_refused", "modem_changed", "sim_changed",
    "self_sms_lost", "pdu_unreadable", "sim_elsewhere"};

[[nodiscard]] constexpr std::string_view incident_name(Incident incident) {
    return incident_names.at(static_cast<std::size_t>(incident));
}

}  // namespace smsrack::ports
