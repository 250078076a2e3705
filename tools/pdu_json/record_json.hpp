/// Writes a decoded PDU as one JSON object, as `smsrack pdu decode` prints it.
#pragma once

#include "src/pdu/decode.hpp"

#include <string>

namespace smsrack::tools {

/// Appends the object. `with_service_centre`: the PDU had the field, so there is a member `smsc`.
void append_record(std::string& out, const pdu::DecodedPdu& decoded, bool with_service_centre);

}  // namespace smsrack::tools
