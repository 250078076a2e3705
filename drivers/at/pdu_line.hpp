/// A PDU as a line of hexadecimal digits, and the header line that announces its length.
///
/// Unit:    octets. The length in a header (+CMGR, +CMGL, +CMT, +CDS) and in AT+CMGS does not count
///          the service centre field.
/// Source:  3GPP TS 27.005 3.1, <length> and <pdu>.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace smsrack::at {

/// True for an even, positive number of hexadecimal digits.
[[nodiscard]] bool is_hex_line(std::string_view line);

/// True where `line` has nothing but hexadecimal digits: a piece of a PDU line may have an odd number.
[[nodiscard]] bool is_hex_piece(std::string_view line);

/// True when `line` is the PDU that `header` announces: its last field is the length.
[[nodiscard]] bool pdu_fits(std::string_view header, std::string_view line);

/// True when both announce a PDU of the same length, so that the length does not decide whose it
/// is.
[[nodiscard]] bool same_length(std::string_view header, std::string_view other);

/// Appends a piece of a line; what is longer than any line is no line.
void join(std::string& pieces, std::string_view piece);

/// The octets; nothing unless is_hex_line().
[[nodiscard]] std::optional<std::string> octets_of(std::string_view line);

/// Upper case digits, appended to `out`.
void append_hex(std::string& out, std::string_view octets);

/// Octets after the service centre field; nullopt if that field is longer than the PDU.
[[nodiscard]] std::optional<std::size_t> tpdu_length(std::string_view octets);

}  // namespace smsrack::at
