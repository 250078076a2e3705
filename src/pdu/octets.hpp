/// The octets of a PDU as this module reads them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace smsrack::pdu {

/// A view: valid as long as the PDU that it was taken from.
using Octets = std::span<const std::uint8_t>;

/// The octets that a std::string carries in its characters.
[[nodiscard]] inline Octets octets_of(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// And back, for what keeps octets in a std::string.
[[nodiscard]] inline std::string_view characters_of(Octets octets) {
    return {reinterpret_cast<const char*>(octets.data()), octets.size()};
}

}  // namespace smsrack::pdu
