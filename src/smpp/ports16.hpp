/// Application ports of a message.
///
/// Source:  3GPP TS 23.040 9.2.3.24.4; SMPP 3.4 5.3.2.20, 5.3.2.21
#pragma once

#include <cstdint>

namespace smsrack::smpp {

struct Ports16 {
    std::uint16_t destination = 0;
    std::uint16_t source = 0;

    bool operator==(const Ports16&) const = default;
};

}  // namespace smsrack::smpp
