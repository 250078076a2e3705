/// Octets as hexadecimal digits, and back.
///
/// Threads: any.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace smsrack {

/// Two digits an octet, of 0-9 and a-f.
[[nodiscard]] std::string hex_of(std::span<const std::byte> octets);
[[nodiscard]] std::string hex_of(std::string_view octets);

/// nullopt: not what hex_of gives.
[[nodiscard]] std::optional<std::string> octets_of_hex(std::string_view hex);

}  // namespace smsrack
