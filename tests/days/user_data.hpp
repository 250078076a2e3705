/// Reads the content of a submit, apart from its addressing and times, for an auditor that shares
/// no code with the service.
///
/// Source: 3GPP TS 23.040 9.2.2.2, SMS-SUBMIT; TS 23.038 for its text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::days {

/// TP-DCS and all from TP-UDL on; the service centre's field comes first in `pdu`. Empty where it
/// is none such.
[[nodiscard]] std::string user_data(std::string_view pdu);

/// A text, or a part of a long one (TS 23.040 9.2.3.24.1 and .8).
struct Said {
    std::string text;  ///< UTF-8
    std::uint16_t reference = 0;
    std::uint8_t parts = 1;
    std::uint8_t part = 1;  ///< from 1
};

/// Nothing where it is no SMS-SUBMIT with a text in the default alphabet or in UCS-2.
[[nodiscard]] std::optional<Said> said(std::string_view pdu);

}  // namespace smsrack::days
