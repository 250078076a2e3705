/// A keyed hash (SipHash-2-4): without the key it reveals nothing of short secrets.
///
/// Source:  Aumasson, Bernstein: SipHash, a fast short-input PRF (2012).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace smsrack {

using HashKey = std::array<std::uint8_t, 16>;

[[nodiscard]] std::uint64_t keyed_hash64(const HashKey& key, std::string_view octets);

}  // namespace smsrack
