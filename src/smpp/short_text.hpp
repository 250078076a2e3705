/// A text as octets of an SMPP message: the default alphabet where it can say all of it, else UTF-16.
///
/// Source:  SMPP 3.4 5.2.19; 3GPP TS 23.038 6.2.1
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace smsrack::smpp {

struct ShortText {
    std::uint8_t data_coding = 0;  ///< 0 or 8
    std::string octets = {};       ///< one septet an octet, or big end first
};

/// `utf8`: what is not valid in it becomes U+FFFD.
[[nodiscard]] ShortText short_text(std::string_view utf8);

/// In the default alphabet; "?" for each character that it can't say.
[[nodiscard]] std::string default_octets(std::string_view utf8);

}  // namespace smsrack::smpp
