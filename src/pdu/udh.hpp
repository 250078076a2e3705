/// The user data header: elements before the text.
///
/// Source:  3GPP TS 23.040 9.2.3.24. A header whose elements do not add up is skipped, and none of
///          it used.
#pragma once

#include "src/pdu/alphabet/dcs.hpp"
#include "src/pdu/alphabet/gsm7_tables.hpp"
#include "src/pdu/octets.hpp"
#include "src/sms/inbound.hpp"

#include <cstdint>
#include <optional>

namespace smsrack::pdu {

namespace iei {
inline constexpr std::uint8_t concat8 = 0x00;
inline constexpr std::uint8_t waiting = 0x01;  ///< special SMS message indication
inline constexpr std::uint8_t ports8 = 0x04;
inline constexpr std::uint8_t ports16 = 0x05;
inline constexpr std::uint8_t concat16 = 0x08;
inline constexpr std::uint8_t single_shift = 0x24;
inline constexpr std::uint8_t locking_shift = 0x25;
}  // namespace iei

struct UdhElement {
    std::uint8_t iei = 0;
    Octets data = {};
};

struct Ports {
    std::uint16_t dst = 0;
    std::uint16_t src = 0;
    std::uint8_t bits = 16;  ///< 8 or 16
};

struct Udh {
    Octets elements = {};  ///< the octets after TP-UDHL
    bool malformed = false;
    std::optional<ConcatInfo> concat = {};  ///< the last one that can be true: 1 <= seq <= total
    std::optional<Ports> ports = {};        ///< the last one
    std::optional<WaitingIndication> waiting = {};  ///< the last one
    std::optional<Languages> languages = {};  ///< as received, with 0 for the one that is not there
};

/// Never fails; `elements` are the octets after TP-UDHL.
[[nodiscard]] Udh read_udh(Octets elements);

/// Takes the first element off well-formed `elements`, which are not empty.
[[nodiscard]] UdhElement next_element(Octets& elements);

}  // namespace smsrack::pdu
