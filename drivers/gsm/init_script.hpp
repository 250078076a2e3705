/// What a WAVECOM modem is asked and told before it may send, in order.
///
/// Detours are left out unless an answer calls for them. AT+CFUN=1 restarts a WAVECOM, so it is one
/// of them. Source:  3GPP TS 27.007, TS 27.005; WAVECOM AT command manual (+CCID, +CPINC); design
/// field.md 4.2.
#pragma once

#include "drivers/at/script.hpp"

#include <cstdint>
#include <span>

namespace smsrack::gsm {

enum class InitStep : std::uint8_t {
    probe,
    echo_off,
    numeric_errors,
    mark,  ///< is our AT+CREG=1 still set? a restart clears it
    functionality,
    restart,    ///< detour: AT+CFUN=1
    events,     ///< which +WIND events are on
    events_on,  ///< detour: all that are wanted; written to flash, so only where one is missing
    events_on_older,  ///< detour: for firmware that refuses the newest
    imei,
    model,
    revision,
    pin_state,
    pin_card,      ///< detour: AT+CCID, which most modems tell of a locked SIM too
    pin_attempts,  ///< detour: how many are left
    pin_enter,     ///< detour
    imsi,
    iccid,
    own_number,
    pdu_mode,
    centre,
    centre_set,      ///< detour: the SIM has lost it
    booted_service,  ///< AT+CSMS? and AT+CNMI?: what it has after a restart, until it is set up again
    booted_notify,
    phase_2_plus,
    phase_2,  ///< detour: where AT+CSMS=1 is refused
    memory_sr,
    memory_sm,
    notify,
    keep_general,  ///< AT&W, where that was something else
    keep_sms,      ///< detour: AT+CSAS after it; firmware differs in which of the two keeps what
    operator_names,
    registration_urc,
};

struct InitRow : at::ScriptStep<InitStep> {
    bool detour = false;
};

[[nodiscard]] std::span<const InitRow> init_script();

/// The step after this one, detours left out; null after the last.
[[nodiscard]] const InitRow* next_row(InitStep step);
[[nodiscard]] const InitRow& row_of(InitStep step);

}  // namespace smsrack::gsm
