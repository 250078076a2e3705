/// The filter of one topic: the numbers that the topic has had. It grows, forgets nothing, and
/// never says `no` for a number that it contains.
///
/// Up to exact_max numbers are kept whole, so a small topic takes little memory and answers `yes`. Then it becomes a
/// filter of the size asked for, which answers `maybe`; what goes beyond its capacity goes to a further generation
/// before the rate is exceeded (small at first too), and a rebuild makes one of all. With fp_rate 0 all numbers are kept whole.
/// Unit:    numbers as in PairKey, from 1 to below number_end.
/// Time:    an insert that makes the filter of a small topic moves exact_max numbers: some milliseconds.
/// Threads: one; ServingSet has the lock.
/// Source:  docs/decisions/0021-filters-of-topics.md; Almeida et al.: Scalable Bloom filters (2007) for the rates of generations.
#pragma once

#include "src/base/keyed_hash.hpp"
#include "src/dedup/block_table.hpp"
#include "src/dedup/held.hpp"
#include "src/dedup/key_cipher.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace smsrack::dedup {

struct FilterSize {
    std::uint64_t capacity = 1'000'000;  ///< numbers of one topic, at least 1
    double fp_rate = 1e-4;               ///< at capacity: 1e-9 .. 0.5, or 0: numbers are kept whole
    friend constexpr bool operator==(const FilterSize&, const FilterSize&) = default;
};

class TopicFilter {
public:
    static constexpr unsigned key_bits = 50;  ///< number_end is below 2^50
    static constexpr std::uint64_t exact_max = 65'536;

    /// The same key gives the same filter; without it an attacker can't choose numbers that fill it
    /// badly.
    TopicFilter(const FilterSize& size, const HashKey& key);

    [[nodiscard]] Held find(std::uint64_t number) const;
    void insert(std::uint64_t number) { (void)test_and_insert_key(cipher_.encrypt(number)); }
    /// Forgets a number that is kept whole; a filter keeps it until it is rebuilt, so a hit of a filter must be
    /// confirmed where numbers are given back.
    void erase(std::uint64_t number);

    /// The same in two steps, for a caller with many filters: the first step prefetches the memory,
    /// the second one answers.
    [[nodiscard]] std::uint64_t prefetched_key(std::uint64_t number) const;
    [[nodiscard]] Held find_key(std::uint64_t key) const;
    /// What was held before. A number of which `maybe` was held needs no place.
    Held test_and_insert_key(std::uint64_t key);

    /// A number that was `maybe` there is not counted again.
    [[nodiscard]] std::uint64_t keys() const;
    [[nodiscard]] std::uint64_t bits() const;        ///< of memory
    [[nodiscard]] double fill() const;               ///< of the places of all generations, 0 .. 1
    [[nodiscard]] double estimated_fp_rate() const;  ///< of a number that it never took, now
    [[nodiscard]] std::size_t generations() const;

private:
    void grow();
    void move_to(const TableShape& shape);
    [[nodiscard]] bool whole() const { return size_.fp_rate <= 0; }

    FilterSize size_;
    KeyCipher cipher_;
    std::vector<BlockTable> tables_ = {};  // generations; all but the last one are full
};

}  // namespace smsrack::dedup
