/// Appends the fields of a PDU to a string.
///
/// Unit:    integers are in network order (SMPP 3.4 3.1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace smsrack::smpp {

inline void put_octet(std::string& out, std::uint8_t value) {
    out += static_cast<char>(value);
}

inline void put_two(std::string& out, std::uint16_t value) {
    put_octet(out, static_cast<std::uint8_t>(value >> 8U));
    put_octet(out, static_cast<std::uint8_t>(value));
}

inline void put_four(std::string& out, std::uint32_t value) {
    put_two(out, static_cast<std::uint16_t>(value >> 16U));
    put_two(out, static_cast<std::uint16_t>(value));
}

/// A C-octet string of at most `max` octets with its NUL: what is longer, and what comes after a NUL
/// of its own, is left out.
inline void put_text(std::string& out, std::string_view text, std::size_t max) {
    out += text.substr(0, max - 1).substr(0, text.find('\0'));
    out += '\0';
}

}  // namespace smsrack::smpp
