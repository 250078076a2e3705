#include "tools/lab/dedup_compare/sets.hpp"

#include "src/base/high_product.hpp"
#include "src/dedup/pipelined.hpp"

#include <bit>

namespace smsrack::lab {
namespace {

using dedup::PairKey;
using dedup::pipelined;

}  // namespace

std::uint64_t StdSet::test_and_insert(std::span<const PairKey> batch) {
    std::uint64_t fresh = 0;
    for (const PairKey& pair : batch) {
        fresh += set_.insert(pair).second ? 1 : 0;
    }
    return fresh;
}

/// A node of libstdc++ has the next one's address, the pair and the hash where it is slow to make; malloc rounds up
/// to 16 and adds 8.
std::uint64_t StdSet::bytes() const {
    constexpr std::uint64_t node = 32;
    return set_.size() * node + set_.bucket_count() * sizeof(void*);
}

OpenSet::OpenSet(std::uint64_t pairs)
    : places_(static_cast<std::size_t>(std::bit_ceil(pairs * 4 / 3))) {}

std::uint64_t OpenSet::test_and_insert(std::span<const PairKey> batch) {
    constexpr unsigned number_bits = 50;
    const std::size_t mask = places_.size() - 1;
    std::uint64_t fresh = 0;
    pipelined<std::size_t>(
        batch.size(),
        [&](std::size_t i) {
            const std::size_t home = dedup::PairKeyHash{}(batch[i]) & mask;
            __builtin_prefetch(&places_[home], 1);
            return home;
        },
        [&](std::size_t i, std::size_t at) {
            const std::uint64_t code =
                std::uint64_t{batch[i].topic} << number_bits | batch[i].number;
            while (places_[at] != 0 && places_[at] != code) {
                at = (at + 1) & mask;
            }
            fresh += places_[at] == 0 ? 1 : 0;
            places_[at] = code;
        });
    return fresh;
}

BlockedBloom::BlockedBloom(std::uint32_t topics, std::uint64_t numbers)
    : lines_each_((numbers * 28 + 511) / 512),
      lines_(static_cast<std::size_t>(topics * lines_each_)) {}

std::size_t BlockedBloom::line_of(const PairKey& pair, std::uint64_t hash) const {
    return static_cast<std::size_t>(pair.topic * lines_each_ + high_product(hash, lines_each_));
}

std::uint64_t BlockedBloom::test_and_insert(std::span<const PairKey> batch) {
    // The line takes the high bits of the hash.
    constexpr std::uint64_t other_bits = 0x9E3779B97F4A7C15U;
    constexpr unsigned bits_set = 8;
    std::uint64_t fresh = 0;
    pipelined<std::uint64_t>(
        batch.size(),
        [&](std::size_t i) {
            const std::uint64_t hash = dedup::PairKeyHash::bits(batch[i]);
            __builtin_prefetch(&lines_[line_of(batch[i], hash)], 1);
            return hash;
        },
        [&](std::size_t i, std::uint64_t hash) {
            Line& line = lines_[line_of(batch[i], hash)];
            std::uint64_t bits = hash * other_bits;  // 9 a time, one in each word
            bits ^= bits >> 32U;
            std::uint64_t unset = 0;
            for (unsigned word = 0; word < bits_set; ++word) {
                const std::uint64_t bit = std::uint64_t{1} << (bits >> (word * 6) & 63U);
                unset |= ~line.words[word] & bit;
                line.words[word] |= bit;
            }
            fresh += unset != 0 ? 1 : 0;
        });
    return fresh;
}

}  // namespace smsrack::lab
