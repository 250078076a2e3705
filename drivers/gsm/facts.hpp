/// What is known of the modem and its SIM since it last started.
///
/// Source:  3GPP TS 27.007 (identity, +CREG, +CSQ), TS 27.005 (+CSMS, +CPMS).
#pragma once

#include "src/base/members.hpp"
#include "src/ports/modem.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::gsm {

struct Facts {
    ports::ModemIdentity identity = {};
    bool reports_stored = false;  ///< it has the memory SR: status reports are read from there
    bool mark_kept = false;       ///< our AT+CREG=1 was still set: it has not restarted since
    bool confirms = false;        ///< CSMS=1: what is delivered directly is confirmed with +CNMA
    ports::Registration registration = ports::Registration::unknown;
    std::optional<int> signal_dbm = {};
    int storage_used = 0;   ///< places of SM, as AT+CPMS said
    int storage_total = 0;  ///< 0: not told
    SMSRACK_MEMBERS(identity, reports_stored, mark_kept, confirms, registration, signal_dbm,
                    storage_used, storage_total);
};

/// 14 to 16 digits, as IMEI and IMSI are; empty: `line` has none.
[[nodiscard]] std::string_view number_of(std::string_view line);

/// The ICCID of +CCID: "8933..." without quotes and filler; empty: none.
[[nodiscard]] std::string_view iccid_of(std::string_view line);

/// +CSQ: 17,0 -> -79 dBm; nothing for 99.
[[nodiscard]] std::optional<int> signal_of(std::string_view line);

/// +CREG: <n>,<stat>: true for the answer to AT+CREG?, false for the URC +CREG:
/// <stat>[,"lac","ci"].
[[nodiscard]] bool is_creg_answer(std::string_view line);

[[nodiscard]] ports::Registration registration_of(std::optional<int> stat);

}  // namespace smsrack::gsm
