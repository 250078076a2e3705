/// Hashes of octets: XXH3 (libxxhash). Stable over versions and machines, so they may be stored.
///
/// Not for secrets: a caller that chooses the input can make collisions.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace smsrack {

[[nodiscard]] std::uint64_t hash64(std::string_view octets);

/// 128 bits, big endian (canonical form).
[[nodiscard]] std::array<std::uint8_t, 16> hash128(std::string_view octets);

/// The same as 32 hexadecimal digits.
[[nodiscard]] std::string hash128_text(std::string_view octets);

}  // namespace smsrack
