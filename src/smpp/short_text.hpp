/// A text as octets of an SMPP message: in what data_coding 0 means to the account where that can say all of it, else in
/// UTF-16.
///
/// Source:  SMPP 3.4 5.2.19; 3GPP TS 23.038 6.2.1
#pragma once

#include "src/smpp/coding.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace smsrack::smpp {

struct ShortText {
    std::uint8_t data_coding = 0;  ///< 0 or 8
    std::string octets = {};
};

/// `utf8`: what is not valid in it becomes U+FFFD. `by_default`: gsm7, latin1 or utf8.
[[nodiscard]] ShortText short_text(std::string_view utf8, Coding by_default);

/// With data_coding 0; "?" for each character that it can't say.
[[nodiscard]] std::string default_octets(std::string_view utf8, Coding by_default);

/// In ASCII, likewise: for the letters of an address.
[[nodiscard]] std::string ascii_octets(std::string_view utf8);

}  // namespace smsrack::smpp
