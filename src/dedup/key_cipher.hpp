/// A keyed permutation of n-bit numbers; it cannot be predicted without the key.
///
/// So numbers chosen by an attacker spread over a table as evenly as any others. A table that keeps
/// the rest of a number at its place can give the number back.
/// Source:  Luby, Rackoff: How to construct pseudorandom permutations (1988): four Feistel rounds. The round
///          function is a keyed multiplication: quick, and no cipher for secrets.
#pragma once

#include "src/base/keyed_hash.hpp"

#include <array>
#include <cstdint>

namespace smsrack::dedup {

class KeyCipher {
public:
    /// Of numbers below 2^bits; bits even, 2 .. 64.
    KeyCipher(unsigned bits, const HashKey& key);

    [[nodiscard]] std::uint64_t encrypt(std::uint64_t number) const;
    [[nodiscard]] std::uint64_t decrypt(std::uint64_t number) const;

private:
    struct Round {
        std::uint64_t add = 0;
        std::uint64_t times = 1;
    };
    [[nodiscard]] std::uint64_t mixed(const Round& round, std::uint64_t half) const {
        std::uint64_t word = (half ^ round.add) * 0x9E3779B97F4A7C15U;
        word = (word ^ (word >> 32U)) * round.times;
        return word >> (64 - half_bits_);
    }

    unsigned half_bits_;
    std::uint64_t half_mask_;
    std::array<Round, 4> rounds_ = {};
};

}  // namespace smsrack::dedup
