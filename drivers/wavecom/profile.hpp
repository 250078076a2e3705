/// How a WAVECOM modem (Fastrack, M1306B) differs from the standard.
///
/// It reports SIM, network and restarts with +WIND, ends AT+CPIN? without OK, and restarts at AT+CFUN=1.
/// Source:  WAVECOM AT command manual (+WIND, +CCID, +CPINC, +WDWL; causes from 512).
#pragma once

#include "drivers/at/command.hpp"
#include "drivers/at/final_result.hpp"
#include "drivers/gsm/profile.hpp"

#include <array>

namespace smsrack::wavecom {

/// Bits of AT+WIND=<mask>: SIM in or out, 3, 4, network there, network lost, and 16. Firmware without 16
/// takes masks up to 4095.
inline constexpr gsm::EventMask event_mask{.wanted = 1 + 4 + 8 + 64 + 128 + 16384,
                                           .older_max = 4095};

/// +WIND: <number>
inline constexpr std::array events{
    gsm::EventRow{0, gsm::Event::sim_removed}, gsm::EventRow{1, gsm::Event::sim_inserted},
    gsm::EventRow{3, gsm::Event::restarted},  // ready for AT, except SMS
    gsm::EventRow{4, gsm::Event::changed},    // all commands
    gsm::EventRow{7, gsm::Event::changed},    // emergency calls only
    gsm::EventRow{8, gsm::Event::changed},    // network lost
    gsm::EventRow{16, gsm::Event::changed},   // SMS ready; newer firmware only
};

/// AT+WIND= is written to flash, so it is given only where an event is missing.
inline constexpr std::array init = [] {
    using gsm::InitRow;
    using gsm::sim_limit;
    using enum gsm::Need;
    using Step = gsm::InitStep;
    constexpr at::Command iccid{.text = "AT+CCID", .prefix = "+CCID:", .timeout = sim_limit};
    return std::array{
        InitRow{Step::events, {.text = "AT+WIND?", .prefix = "+WIND:"}, optional},
        InitRow{Step::events_on, {.text = "AT+WIND="}, detour},
        InitRow{Step::events_on_older, {.text = "AT+WIND="}, detour},
        InitRow{Step::pin_state,
                {.text = "AT+CPIN?",
                 .prefix = "+CPIN:",
                 .timeout = sim_limit,
                 .ends = at::Ends::at_silence_too}},
        InitRow{Step::pin_card, iccid, detour},
        InitRow{Step::pin_attempts,
                {.text = "AT+CPINC", .prefix = "+CPINC:", .timeout = sim_limit},
                detour},
        InitRow{Step::iccid, iccid, optional},
    };
}();

/// 515: please wait, a command is being worked on.
inline constexpr std::array busy{at::FinalResult{at::FinalKind::cme_error, 515},
                                 at::FinalResult{at::FinalKind::cms_error, 515}};

/// Of the layers below the message: no connection, no channel, no answer of the network.
inline constexpr std::array link_faults{512, 513, 514, 515};

inline constexpr std::array refusals{
    gsm::HandRefusal{"+WDWL", gsm::HandForm::any, "it waits for a firmware and nothing else"},
};

inline constexpr gsm::Profile profile{
    .urcs = {gsm::urc_rule("+WIND:", gsm::Urc::event)},
    .events = events,
    .event_mask = event_mask,
    .init = gsm::InitScript(init),
    .restart = {.text = "AT+CFUN=1", .prefix = "+CFUN:"},
    .radio_on_restarts = true,
    .busy = busy,
    .link_faults = link_faults,
    .refusals = refusals,
};
static_assert(profile.init.is_sound());

}  // namespace smsrack::wavecom
