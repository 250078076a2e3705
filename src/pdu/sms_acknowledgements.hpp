/// SMS-DELIVER-REPORT and SMS-SUBMIT-REPORT: the two answers of the transfer layer, with or without
/// a failure cause.
///
/// Errors:  truncated, bad_udl, bad_udh stay in the reader. Views live as long as the octets read.
/// Source:  3GPP TS 23.040 9.2.2.1a, 9.2.2.2a. TP-FCS is there when bit 7 of the second octet is
///          set.
#pragma once

#include "src/pdu/first_octet.hpp"
#include "src/pdu/reader.hpp"
#include "src/pdu/report_parameters.hpp"
#include "src/pdu/scts.hpp"

#include <cstdint>
#include <optional>

namespace smsrack::pdu {

struct SmsDeliverReport {
    FirstOctet first = {};
    std::optional<std::uint8_t> tp_fcs = {};  ///< 128..255
    ReportParameters parameters = {};
};

struct SmsSubmitReport {
    FirstOctet first = {};
    std::optional<std::uint8_t> tp_fcs = {};  ///< 128..255
    Timestamp scts = {};
    ReportParameters parameters = {};
};

/// Both read all behind the first octet.
[[nodiscard]] SmsDeliverReport read_sms_deliver_report(Reader& reader, FirstOctet first);
[[nodiscard]] SmsSubmitReport read_sms_submit_report(Reader& reader, FirstOctet first);

}  // namespace smsrack::pdu
