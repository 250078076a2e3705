/// The text of a USSD answer, by its data coding scheme: that of cell broadcast, not that of SMS.
///
/// Source:  3GPP TS 23.038 5; TS 27.007 5.5 (+CSCS="HEX": two digits for each character of 7 bits,
/// or for each octet).
#pragma once

#include "src/pdu/alphabet/dcs.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace smsrack::pdu {

/// What is reserved there is read as GSM 7-bit.
[[nodiscard]] Alphabet cbs_alphabet(std::uint8_t dcs);

/// `hex`: the modem gave octets in hexadecimal; else UCS-2 may still have come so. UTF-8; what can't
/// be decoded stays as it came.
[[nodiscard]] std::string ussd_text(std::string_view given, std::uint8_t dcs, bool hex);

}  // namespace smsrack::pdu
