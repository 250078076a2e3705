/// Hashes of octets: XXH3 (libxxhash). Stable over versions and machines, so they may be stored.
///
/// Not for secrets: a caller that chooses the input can make collisions.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct XXH3_state_s;  // of libxxhash

namespace smsrack {

[[nodiscard]] std::uint64_t hash64(std::string_view octets);

/// 128 bits, big endian (canonical form).
[[nodiscard]] std::array<std::uint8_t, 16> hash128(std::string_view octets);

/// hash128() of octets that come in pieces.
class Hasher128 {
public:
    Hasher128();
    void add(std::string_view octets);
    /// As 32 hexadecimal digits.
    [[nodiscard]] std::string text() const;

private:
    struct Ended {
        void operator()(XXH3_state_s* state) const;
    };
    std::unique_ptr<XXH3_state_s, Ended> state_;
};

/// hash128() as 32 hexadecimal digits.
[[nodiscard]] std::string hash128_text(std::string_view octets);

}  // namespace smsrack
