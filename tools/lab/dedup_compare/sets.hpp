/// The sets that the filters are compared with: the same pairs, queried in the same batches.
///
/// Threads: one.
#pragma once

#include "src/dedup/pair_key.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

namespace smsrack::lab {

/// std::unordered_set of pairs.
class StdSet {
public:
    /// Gives how many were not there.
    std::uint64_t test_and_insert(std::span<const dedup::PairKey> batch);
    [[nodiscard]] std::uint64_t bytes() const;

private:
    std::unordered_set<dedup::PairKey, dedup::PairKeyHash> set_ = {};
};

/// Open addressing with linear probing, a pair in 8 octets, memory asked for ahead: about as fast as a whole set gets.
class OpenSet {
public:
    explicit OpenSet(std::uint64_t pairs);
    std::uint64_t test_and_insert(std::span<const dedup::PairKey> batch);
    [[nodiscard]] std::uint64_t bytes() const { return places_.size() * sizeof(std::uint64_t); }

private:
    std::vector<std::uint64_t> places_;  // 0: empty
};

/// A Bloom filter of cache lines for each topic: 28 bits a pair, 8 of them set, as decision 21 compares it.
/// Source:  Putze, Sanders, Singler: Cache-, hash- and space-efficient Bloom filters (2007).
class BlockedBloom {
public:
    BlockedBloom(std::uint32_t topics, std::uint64_t numbers);
    std::uint64_t test_and_insert(std::span<const dedup::PairKey> batch);
    [[nodiscard]] std::uint64_t bytes() const { return lines_.size() * sizeof(Line); }

private:
    struct alignas(64) Line {
        std::array<std::uint64_t, 8> words = {};
    };
    [[nodiscard]] std::size_t line_of(const dedup::PairKey& pair, std::uint64_t hash) const;

    std::uint64_t lines_each_;
    std::vector<Line> lines_;
};

}  // namespace smsrack::lab
