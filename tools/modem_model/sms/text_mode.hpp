/// Text mode, AT+CMGF=1: messages in plain text in the default alphabet, as people type and read
/// them.
///
/// Characters are the alphabet's own septets, as with AT+CSCS="GSM": letters, digits and most signs are those of ASCII, but
/// "@" is octet 0. What is no such message (another alphabet, a part of a longer one, a status report) is shown as
/// its PDU in hexadecimal digits.
/// Source:  3GPP TS 27.005 3.1, 3.4.2, 3.4.3, 3.5.1.
#pragma once

#include "tools/modem_model/sms/sms_memory.hpp"
#include "tools/modem_model/sms/tpdu.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace smsrack::modem_sim {

/// Longest text of one message.
inline constexpr std::size_t text_septets_max = 160;

/// "+336..." with type 145, or digits; nullopt if it is not a number.
[[nodiscard]] std::optional<std::string> typed_number(std::string_view number, int type);

/// The PDU of a text that was typed, by +CSMP ("17,167,0,0"). Nullopt if the text is too long or
/// not of the default alphabet, or if +CSMP asks for another one.
[[nodiscard]] std::optional<NetworkPdu> submit_of(std::string_view number, std::string_view text,
                                                  std::string_view csmp);

/// "REC UNREAD" and so on.
[[nodiscard]] std::string_view status_word(SmsStatus status);
/// Nullopt if there is no such word; "ALL" is 4, as in PDU mode.
[[nodiscard]] std::optional<int> status_of_word(std::string_view word);

/// The text after "+CMGR: " or "+CMGL: 1,": status, address, time; and the text in a line of its
/// own.
[[nodiscard]] std::string text_form(const StoredSms& sms);

}  // namespace smsrack::modem_sim
