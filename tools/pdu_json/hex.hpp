/// Writes octets as upper-case hex digits, and reads hex digits of either case.
#pragma once

#include "src/pdu/octets.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::tools {

/// Appends two digits an octet.
void append_hex(std::string& out, pdu::Octets octets);

/// Puts the octets into `out`, whose room is used again. Gives where the first character that does
/// not belong is; text.size() where half an octet is missing; npos where all is well.
[[nodiscard]] std::size_t read_hex(std::string_view text, std::vector<std::uint8_t>& out);

}  // namespace smsrack::tools
