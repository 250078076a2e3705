/// What a WAVECOM modem says unasked.
///
/// Source:  3GPP TS 27.005 3.4, TS 27.007 6.11 (+CRING), 7.2 (+CREG), 7.11 (+CLIP), 7.15
/// (+CUSD); WAVECOM AT command manual
/// (+WIND).
#pragma once

#include "drivers/at/line_class.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace smsrack::gsm {

enum class Urc : std::uint8_t {
    stored_message,  ///< +CMTI: "SM",3
    stored_report,   ///< +CDSI: "SR",1
    message,         ///< +CMT: ,24 and the PDU
    report,          ///< +CDS: 25 and the PDU
    registration,    ///< +CREG: 1
    wavecom_event,   ///< +WIND: 4
    ussd,            ///< +CUSD: 0,"...",15
    late_answer,     ///< +CMGS: 12 while no submit is in hand
    ring,            ///< RING, +CRING: somebody calls
    caller,          ///< +CLIP: "+336...",145: who it is
    call_over,       ///< NO CARRIER: the caller gave up
    other,           ///< the network's name: nothing of ours
};

struct UrcRow {
    at::UrcRule rule;
    Urc urc;
};

/// The first row that fits counts: +CMTI before +CMT.
inline constexpr std::array urc_table{
    UrcRow{{"+CMTI:"}, Urc::stored_message},
    UrcRow{{"+CDSI:"}, Urc::stored_report},
    UrcRow{{"+CMT:", true}, Urc::message},
    UrcRow{{"+CDS:", true}, Urc::report},
    UrcRow{{"+CREG:"}, Urc::registration},
    UrcRow{{"+WIND:"}, Urc::wavecom_event},
    UrcRow{{"+CUSD:"}, Urc::ussd},
    UrcRow{{"+CMGS:"}, Urc::late_answer},
    UrcRow{{"+CBM:", true}, Urc::other},
    UrcRow{{"+CRING:"}, Urc::ring},
    UrcRow{{"RING"}, Urc::ring},
    UrcRow{{"NO CARRIER"}, Urc::call_over},
    UrcRow{{"+CLIP:"}, Urc::caller},
    UrcRow{{"+CGREG:"}, Urc::other},
};

/// The same, as the channel wants it.
inline constexpr auto urc_rules = [] {
    std::array<at::UrcRule, urc_table.size()> rules{};
    for (std::size_t i = 0; i < rules.size(); ++i) {
        rules[i] = urc_table[i].rule;
    }
    return rules;
}();

[[nodiscard]] constexpr Urc urc_of(std::string_view line) {
    for (const auto& row : urc_table) {
        if (line.starts_with(row.rule.prefix)) {
            return row.urc;
        }
    }
    return Urc::other;
}

/// Bits of AT+WIND=<mask> for the events below: SIM in or out, 3, 4, network there, network lost, and 16. Firmware without 16
/// takes masks up to 4095.
inline constexpr unsigned wind_wanted = 1 + 4 + 8 + 64 + 128 + 16384;
inline constexpr unsigned wind_older_max = 4095;

/// +WIND events that mean something here.
enum class Wind : std::uint8_t {
    sim_removed = 0,
    sim_inserted = 1,
    booted = 3,       ///< ready for AT, except SMS: the modem has just restarted
    initialised = 4,  ///< all commands
    no_service = 7,   ///< emergency calls only
    network_lost = 8,
    sms_ready = 16,  ///< newer firmware only
};

}  // namespace smsrack::gsm
