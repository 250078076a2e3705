/// Pairs that the exact index was seen to hold: a bounded cache between the filters and the index, without false answers.
///
/// It grows with what it is given up to its bound, then each new pair takes the place of another one. Whoever
/// gives a pair back (a claim released, a record too old) erases it here in the same step, since a hit is believed.
/// Unit:    octets; about 6 a pair, so 256 MiB hold 40,000,000.
/// Threads: any; a call holds the lock of one 256th of the pairs for about a microsecond.
/// Source:  docs/decisions/0021-filters-of-topics.md.
#pragma once

#include "src/base/keyed_hash.hpp"
#include "src/dedup/pair_key.hpp"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <unordered_set>

namespace smsrack::dedup {

class ConfirmedPairs {
public:
    static constexpr std::size_t usual_bytes = std::size_t{256} << 20U;

    /// `bytes_max` 0: keeps nothing.
    ConfirmedPairs(std::size_t bytes_max, const HashKey& key);

    [[nodiscard]] bool contains(const PairKey& pair) const;
    void insert(const PairKey& pair);
    void erase(const PairKey& pair);

    /// For many, with their memory on its way; `found` is as long as `pairs`.
    void contains(std::span<const PairKey> pairs, std::span<bool> found) const;
    void insert(std::span<const PairKey> pairs);

    [[nodiscard]] std::uint64_t pairs() const;
    [[nodiscard]] std::uint64_t bytes() const;    ///< of memory now
    [[nodiscard]] std::uint64_t evicted() const;  ///< pairs that gave their place to another one

private:
    mutable std::mutex lock_ = {};  // guards all below
    std::size_t pairs_max_;
    std::unordered_set<PairKey, PairKeyHash> pairs_ = {};
    std::uint64_t evicted_ = 0;
};

}  // namespace smsrack::dedup
