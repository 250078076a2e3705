/// SMS-STATUS-REPORT: the result of a message that was sent.
///
/// Errors:  truncated, bad_address stay in the reader. Views live as long as the octets read.
/// Source:  3GPP TS 23.040 9.2.2.3, 9.2.3.15.
#pragma once

#include "src/pdu/address_field.hpp"
#include "src/pdu/first_octet.hpp"
#include "src/pdu/reader.hpp"
#include "src/pdu/report_parameters.hpp"
#include "src/pdu/scts.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace smsrack::pdu {

struct SmsStatusReport {
    FirstOctet first = {};
    std::uint8_t tp_mr = 0;
    AddressField recipient = {};
    Timestamp scts = {};
    Timestamp discharge = {};
    std::uint8_t tp_st = 0;
    /// Nullopt if what follows TP-ST is not well-formed, as padding is.
    std::optional<ReportParameters> parameters = {};
};

/// Reads all behind the first octet; octets behind TP-ST that are no optional part stay unread.
[[nodiscard]] SmsStatusReport read_sms_status_report(Reader& reader, FirstOctet first);

/// "completed", "pending", "permanent_failure", "temporary_failure", "reserved".
[[nodiscard]] std::string_view tp_status_class(std::uint8_t tp_st);

}  // namespace smsrack::pdu
