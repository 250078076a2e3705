#include "src/base/hash.hpp"

#include "src/base/hex.hpp"

#include <algorithm>
#include <span>
#include <xxhash.h>

namespace smsrack {

std::uint64_t hash64(std::string_view octets) {
    return XXH3_64bits(octets.data(), octets.size());
}

namespace {

std::array<std::uint8_t, 16> digest_of(XXH128_hash_t hash) {
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, hash);
    std::array<std::uint8_t, 16> digest = {};
    std::ranges::copy(canonical.digest, digest.begin());
    return digest;
}

std::string text_of(const std::array<std::uint8_t, 16>& digest) {
    return hex_of(std::as_bytes(std::span(digest)));
}

}  // namespace

std::array<std::uint8_t, 16> hash128(std::string_view octets) {
    return digest_of(XXH3_128bits(octets.data(), octets.size()));
}

std::string hash128_text(std::string_view octets) {
    return text_of(hash128(octets));
}

Hasher128::Hasher128() : state_(XXH3_createState()) {
    XXH3_128bits_reset(state_.get());
}

void Hasher128::Ended::operator()(XXH3_state_s* state) const {
    XXH3_freeState(state);
}

void Hasher128::add(std::string_view octets) {
    XXH3_128bits_update(state_.get(), octets.data(), octets.size());
}

std::string Hasher128::text() const {
    return text_of(digest_of(XXH3_128bits_digest(state_.get())));
}

}  // namespace smsrack
