/// Decodes any PDU from its octets to its record.
///
/// Time:    no allocation; well under a microsecond.
/// Errors:  truncated, bad_address, bad_udl, bad_udh, reserved_mti: the first problem from left to
///          right. All views in the record live as long as the octets.
/// Source:  3GPP TS 23.040 9.2.2, 9.2.3.1 (a reserved type towards the mobile is read as
///          SMS-DELIVER).
#pragma once

#include "src/pdu/pdu_error.hpp"
#include "src/pdu/sms_acknowledgements.hpp"
#include "src/pdu/sms_command.hpp"
#include "src/pdu/sms_deliver.hpp"
#include "src/pdu/sms_status_report.hpp"
#include "src/pdu/sms_submit.hpp"

#include <optional>
#include <variant>

namespace smsrack::pdu {

using Tpdu = std::variant<SmsDeliver, SmsSubmit, SmsStatusReport, SmsDeliverReport, SmsSubmitReport,
                          SmsCommand>;

struct DecodedPdu {
    std::optional<AddressField> service_centre = {};
    std::size_t tpdu_length = 0;  ///< octets without the service centre field
    Octets trailing = {};         ///< behind the TPDU
    Tpdu tpdu = {};
};

/// Octets with the service centre field in front, as a modem gives them.
[[nodiscard]] PduResult<DecodedPdu> decode_pdu(Octets pdu, Direction direction);

/// Octets of the TPDU alone.
[[nodiscard]] PduResult<DecodedPdu> decode_tpdu(Octets tpdu, Direction direction);

}  // namespace smsrack::pdu
