#include "src/dedup/key_cipher.hpp"

#include "src/base/check.hpp"

#include <ranges>
#include <string>

namespace smsrack::dedup {

KeyCipher::KeyCipher(unsigned bits, const HashKey& key)
    : half_bits_(bits / 2), half_mask_((std::uint64_t{1} << half_bits_) - 1) {
    SMSRACK_CHECK(bits >= 2 && bits <= 64 && bits % 2 == 0);
    char label = 'a';
    for (Round& round : rounds_) {
        round.add = keyed_hash64(key, std::string("dedup+") + label);
        round.times = keyed_hash64(key, std::string("dedup*") + label) | 1U;
        ++label;
    }
}

std::uint64_t KeyCipher::encrypt(std::uint64_t number) const {
    std::uint64_t left = number >> half_bits_;
    std::uint64_t right = number & half_mask_;
    for (const Round& round : rounds_) {
        const std::uint64_t next = left ^ mixed(round, right);
        left = right;
        right = next;
    }
    return left << half_bits_ | right;
}

std::uint64_t KeyCipher::decrypt(std::uint64_t number) const {
    std::uint64_t left = number >> half_bits_;
    std::uint64_t right = number & half_mask_;
    for (const auto& round : std::views::reverse(rounds_)) {
        const std::uint64_t before = right ^ mixed(round, left);
        right = left;
        left = before;
    }
    return left << half_bits_ | right;
}

}  // namespace smsrack::dedup
