/// data_coding: what the octets of a message are, and their text.
///
/// Source:  SMPP 3.4 5.2.19; 3GPP TS 23.038 4 for what comes from there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::smpp {

enum class Coding : std::uint8_t {
    gsm7,  ///< one septet an octet, 0x1B before one of the extension table
    ascii,
    latin1,
    utf16,  ///< big end first
    utf8,
    octets,  ///< no text
};

/// `of_0`, `of_1`: what data_coding 0 and 1 mean to this account.
[[nodiscard]] Coding coding_of(std::uint8_t data_coding, Coding of_0, Coding of_1 = Coding::ascii);

/// In UTF-8; nullopt: the octets are not valid in it, or no text.
[[nodiscard]] std::optional<std::string> text_of(std::string_view octets, Coding coding);

}  // namespace smsrack::smpp
