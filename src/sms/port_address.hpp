/// Application ports: the program on a phone, or here, that a message is for.
///
/// Source:  3GPP TS 23.040 9.2.3.24.3, .4.
#pragma once

#include "src/base/members.hpp"

#include <cstdint>

namespace smsrack {

struct PortAddress {
    std::uint16_t dst = 0;
    std::uint16_t src = 0;

    friend bool operator==(const PortAddress&, const PortAddress&) = default;
    SMSRACK_MEMBERS(dst, src);
};

}  // namespace smsrack
