/// TP-Message-Reference, from the modem's answer to a submit.
///
/// Source: 3GPP TS 23.040 9.2.3.6; TS 27.005 3.5.1 (+CMGS: <mr>).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace smsrack {

/// True where `seen` may be what is left of `whole` after a UART lost octets of the answer: 2 of 25, and not 84 of 82.
[[nodiscard]] inline bool may_be_left_of(int seen, std::uint8_t whole) {
    const std::string digits = std::to_string(whole);
    std::string_view rest = digits;
    for (const char digit : std::to_string(seen)) {
        const auto at = rest.find(digit);
        if (at == std::string_view::npos) {
            return false;
        }
        rest.remove_prefix(at + 1);
    }
    return true;
}

}  // namespace smsrack
