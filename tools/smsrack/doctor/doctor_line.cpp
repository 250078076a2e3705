#include "tools/smsrack/doctor/doctor_line.hpp"

#include "src/base/time_text.hpp"
#include "src/ports/modem_reason.hpp"
#include "tools/smsrack/doctor/doctor_unit.hpp"
#include "tools/smsrack/screen/json_fields.hpp"

#include <fmt/format.h>
#include <string>
#include <string_view>

namespace smsrack::cli {
namespace {

/// What to do in addition to the service's own sentence; empty where nothing is known.
std::string advice_of(std::string_view reason, const std::string& modem) {
    const ports::ModemReason* const row = ports::find_modem_reason(reason);
    return row == nullptr ? std::string() : ports::advice_for(*row, modem);
}

Finding judge_closed(const std::string& name, const PortLook& look, const RightsWords& rights) {
    const std::string& path = look.path;
    switch (look.closed->code) {
        case Errc::busy:
            if (look.holder.starts_with("ModemManager")) {
                return bad(name, "port_busy", fmt::format("{} is held by {}", path, look.holder),
                           "`sudo systemctl disable --now ModemManager`, or a udev rule with "
                           "ENV{ID_MM_PORT_IGNORE}=\"1\"");
            }
            return bad(
                name, "port_busy",
                look.holder.empty() ? look.closed->context
                                    : fmt::format("{} is held by {}", path, look.holder),
                end_command(look.holder, look.holder_unit) + ", or give this modem another port");
        case Errc::not_allowed:
            return bad(name, "no_rights", rights.text, rights.advice);
        case Errc::no_device:
            return bad(name, "port_missing", path + " does not exist, or is not a serial port",
                       "plug the modem in; `smsrack slots` lists the ports");
        default:
            return bad(name, "port_settings", look.closed->context,
                       "correct `port` and `baud` of this modem, then `smsrack reload`");
    }
}

Finding judge_silent(const std::string& name, const PortLook& look) {
    if (look.has_lines && !look.cts) {
        return bad(name, "no_cts", "the modem gives no CTS and does not answer",
                   "switch it on; the cable needs RTS and CTS, not only three wires");
    }
    return bad(name, "no_answer", "nothing answers on " + look.path + ", at no usual baud rate",
               "is the modem switched on and the cable whole? Take its power away for ten seconds");
}

/// A SIM is locked after three wrong PINs, and the service keeps the last two for the operator.
constexpr int pin_attempts_of_new_card = 3;

/// Was a wrong one entered? The database remembers it of the service, the SIM of anybody.
Finding judge_pin(const config::ModemSettings& modem, const PortLook& look,
                  std::optional<WallTime> refused_at) {
    const std::string left =
        look.pin_attempts ? fmt::format("; {} attempts are left", *look.pin_attempts) : "";
    if (modem.pin && refused_at) {
        return bad(modem.name, "sim_pin",
                   fmt::format("the SIM refused the PIN that the service entered at {}{}",
                               time_text(*refused_at), left),
                   "correct `pin` of this modem and start the service: the wrong one is not tried "
                   "again");
    }
    if (!modem.pin) {
        return bad(modem.name, "sim_pin", "the SIM wants its PIN, and none is configured" + left,
                   "set `pin = { file = ... }` for this modem, or switch the PIN off");
    }
    if (look.pin_attempts && *look.pin_attempts < pin_attempts_of_new_card) {
        return bad(modem.name, "sim_pin",
                   "the SIM wants its PIN, and a wrong one was entered before" + left,
                   "compare `pin` with the SIM's; with fewer than two attempts left, enter it in a "
                   "telephone");
    }
    return bad(modem.name, "sim_pin", "the SIM wants its PIN",
               "the service enters the configured one once; see its log if this stays");
}

Finding judge_sim(const config::ModemSettings& modem, const PortLook& look,
                  std::optional<WallTime> pin_refused_at) {
    const std::string& name = modem.name;
    if (look.sim == "SIM PIN") {
        return judge_pin(modem, look, pin_refused_at);
    }
    if (look.sim.starts_with("SIM PUK")) {
        return bad(name, "sim_puk", "the SIM is locked after wrong PINs (" + look.sim + ")",
                   "unlock it with its PUK in a telephone");
    }
    if (look.sim == "+CME ERROR: 10" || look.sim == "+CMS ERROR: 310") {
        return bad(name, "sim_absent", "no SIM in the modem", "insert one, or clean its contacts");
    }
    return bad(name, "sim_failure",
               look.sim.empty() ? "the SIM does not answer" : "the SIM can't be used: " + look.sim,
               "remove and insert it again; if that does not help, replace it");
}

Finding judge_network(const config::ModemSettings& modem, const PortLook& look) {
    const std::string& name = modem.name;
    constexpr int home = 1;
    constexpr int denied = 3;
    constexpr int roaming = 5;
    const int state = look.registration.value_or(0);
    const std::string signal =
        look.signal_dbm ? fmt::format("{} dBm", *look.signal_dbm) : std::string("no signal");
    if (state == roaming && !modem.line.roaming) {
        return bad(name, "roaming",
                   "registered with a foreign network, where it may not send, " + signal,
                   advice_of("roaming", name));
    }
    if (state == home || state == roaming) {
        return well(name, fmt::format("answers on {} at {} baud, registered, {}", look.path,
                                      look.baud, signal));
    }
    if (state == denied) {
        return bad(name, "denied", "the network refuses this SIM",
                   "it is barred, not paid, or not activated: ask its operator");
    }
    return bad(name, "not_registered", fmt::format("not registered with a network, {}", signal),
               look.signal_dbm ? "is the SIM activated, and is its network available here?"
                               : "check the antenna and its plug");
}

}  // namespace

Finding judge_served(const wire::Json& modem, const RightsWords& rights) {
    const std::string name = text_of(modem, "name");
    if (text_of(modem, "link") == "active") {
        const wire::Json& paused = object_of(modem, "paused");
        const std::string why = text_of(paused, "reason");
        const std::string until =
            why.empty() ? std::string() : " until " + text_of(paused, "until");
        if (why == "cooling") {
            return bad(
                name, why,
                "carrier or network refused its SIM several times in a row; it rests" + until,
                advice_of(why, name));
        }
        const std::string dbm = text_of(modem, "signal_dbm");
        return well(name,
                    fmt::format("active on {}, {}{}{}", text_of(modem, "port"),
                                text_of(modem, "operator"), dbm.empty() ? "" : ", " + dbm + " dBm",
                                why == "quota" ? ", its quota is spent" + until : ""));
    }
    const std::string reason = text_of(modem, "reason");
    const std::string detail = text_of(modem, "detail");
    if (!text_of(modem, "listens_at").empty()) {
        return well(name, detail);  // as it was configured
    }
    if (reason == "port_not_allowed" && !rights.advice.empty()) {
        return bad(name, reason, rights.text, rights.advice);
    }
    return bad(name, reason.empty() ? "not_active" : reason,
               detail.empty() ? "the modem is " + text_of(modem, "link") : detail,
               advice_of(reason, name));
}

Finding judge_look(const config::ModemSettings& modem, const PortLook& look,
                   const RightsWords& rights, std::optional<WallTime> pin_refused_at) {
    if (look.closed) {
        return judge_closed(modem.name, look, rights);
    }
    if (!look.answers) {
        return judge_silent(modem.name, look);
    }
    if (look.baud != modem.line.baud && look.baud != modem.line.fast_baud) {
        return bad(
            modem.name, "wrong_baud",
            fmt::format("it answers at {} baud, but `baud` is {}", look.baud, modem.line.baud),
            fmt::format("set `baud = {}` for this modem", look.baud));
    }
    return look.sim == "READY" ? judge_network(modem, look)
                               : judge_sim(modem, look, pin_refused_at);
}

}  // namespace smsrack::cli
