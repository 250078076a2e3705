#include "src/base/hash.hpp"

#include "src/base/hex.hpp"

#include <algorithm>
#include <span>
#include <xxhash.h>

namespace smsrack {

std::uint64_t hash64(std::string_view octets) {
    return XXH3_64bits(octets.data(), octets.size());
}

std::array<std::uint8_t, 16> hash128(std::string_view octets) {
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits(octets.data(), octets.size()));
    std::array<std::uint8_t, 16> digest = {};
    std::ranges::copy(canonical.digest, digest.begin());
    return digest;
}

std::string hash128_text(std::string_view octets) {
    const auto digest = hash128(octets);
    return hex_of(std::as_bytes(std::span(digest)));
}

}  // namespace smsrack
