/// What a submit says, apart from how and until when: for an auditor who shares no code with the service.
///
/// Source: 3GPP TS 23.040 9.2.2.2, SMS-SUBMIT.
#pragma once

#include <string>
#include <string_view>

namespace smsrack::simulate {

/// TP-DCS and all from TP-UDL on; the service centre's field stands first in `pdu`. Empty where it is none such.
[[nodiscard]] std::string user_data(std::string_view pdu);

/// Its concatenation reference (9.2.3.24.1 and .8), where it is a part of a long message; empty where not.
[[nodiscard]] std::string concat_ref(std::string_view user_data);

}  // namespace smsrack::simulate
