/// What each reason for which a modem does not send means for the operator: the kind of its condition, and what to do.
///
/// There is one table, so that the service and `smsrack doctor` give the same advice.
/// Threads: values.
#pragma once

#include "src/ports/condition.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace smsrack::ports {

struct ModemReason {
    std::string_view reason;  ///< LineView::reason, or that of its pause
    ConditionKind kind;
    bool passes;  ///< mostly by itself, as after a start: it is a fault only if it lasts
    std::string_view advice;
};

inline constexpr std::array modem_reasons{
    ModemReason{"no_port", ConditionKind::modem_port, false,
                "plug the modem in and switch it on; `smsrack slots` lists the ports"},
    ModemReason{"port_busy", ConditionKind::modem_port, false,
                "end the program that holds the port, or give this modem another one; the service "
                "tries again by itself"},
    ModemReason{"port_not_allowed", ConditionKind::modem_port, false,
                "`sudo smsrack doctor` names the group that owns the port; then restart the "
                "service"},
    ModemReason{"port_settings", ConditionKind::modem_port, false,
                "correct `port` and `baud` of this modem, then `smsrack reload`"},
    ModemReason{
        "no_answer", ConditionKind::modem_silent, true,
        "is it switched on, and the cable whole with RTS and CTS? `sudo systemctl stop "
        "smsrack.socket smsrackd; sudo smsrack doctor; sudo systemctl start smsrackd` tries the "
        "other baud rates"},
    ModemReason{"out_of_service", ConditionKind::modem_silent, false,
                "take its power away for ten seconds, and look at its cable; if that does not "
                "help, replace the modem"},
    ModemReason{"sim_absent", ConditionKind::modem_sim, false,
                "insert the SIM, or clean its contacts"},
    ModemReason{"sim_pin", ConditionKind::modem_sim, false,
                "correct `pin` of this modem, then `smsrack reload`; a PIN that was refused is not "
                "tried again"},
    ModemReason{"sim_puk", ConditionKind::modem_sim, false,
                "unlock the SIM with its PUK in a telephone"},
    ModemReason{"sim_failure", ConditionKind::modem_sim, false,
                "remove the SIM and insert it again; if that does not help, replace it"},
    ModemReason{"sim_refused", ConditionKind::modem_sim, false,
                "put the SIM of this slot back, or allow another one with `sim_policy` of this "
                "modem, then `smsrack reload`"},
    ModemReason{"sim_elsewhere", ConditionKind::modem_sim, false,
                "two boxes have a SIM with this ICCID: take one of them out; `smsrack cluster "
                "boxes` lists the boxes"},
    ModemReason{"sim_unread", ConditionKind::modem_not_ready, true,
                "the engine of the fleet has not told what other boxes have sent by this SIM: "
                "`smsrack cluster check`; or set `quota_alone` of [cluster] to own_count"},
    ModemReason{"no_centre", ConditionKind::modem_sim, false,
                "`smsrack at NAME AT+CSCA=\"NUMBER\" --force` sets the number of the service "
                "centre, which the SIM's operator names"},
    ModemReason{"registering", ConditionKind::modem_unregistered, true,
                "check antenna and SIM; `smsrack at NAME AT+CSQ` shows the signal"},
    ModemReason{"denied", ConditionKind::modem_unregistered, false,
                "the SIM is barred, not paid, or not activated: ask its operator"},
    ModemReason{"roaming", ConditionKind::modem_unregistered, false,
                "if that is wanted, set `roaming = true` for this modem, then `smsrack reload`"},
    ModemReason{"cooling", ConditionKind::modem_cooling, false,
                "check the SIM's credit and contract with its operator; `smsrack explain ID` of a "
                "refused message shows the cause"},
    ModemReason{"storage", ConditionKind::modem_not_ready, false,
                "make room on the disk; the modem is started by itself then"},
};

/// Of any other reason, such as "starting" and "rebooted".
inline constexpr ModemReason other_modem_reason{
    "", ConditionKind::modem_not_ready, true,
    "`journalctl -u smsrackd` shows what the modem answers; `smsrack modem reset NAME` restarts "
    "it"};

/// The row of `reason`; nullptr if it has none.
[[nodiscard]] constexpr const ModemReason* find_modem_reason(std::string_view reason) {
    const auto* const row = std::ranges::find(modem_reasons, reason, &ModemReason::reason);
    return row == modem_reasons.end() ? nullptr : row;
}

/// The text with the modem's name in the place of NAME.
[[nodiscard]] inline std::string with_name(std::string_view of_any, std::string_view modem) {
    constexpr std::string_view place = "NAME";
    std::string text(of_any);
    const std::size_t at = text.find(place);
    return at == std::string::npos ? text : text.replace(at, place.size(), modem);
}

/// The advice with the modem's name in its command.
[[nodiscard]] inline std::string advice_for(const ModemReason& row, std::string_view modem) {
    return with_name(row.advice, modem);
}

}  // namespace smsrack::ports
