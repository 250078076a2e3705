/// A hash table of two-choice blocks: each key goes to the emptier of its two blocks, so the table
/// is almost full before a key finds no room.
///
/// A key that finds no place is kept whole in a small extra set, so no insert ever fails. Keys are
/// evenly distributed (KeyCipher) and below 2^key_bits of the shape.
/// Threads: one.
/// Source:  block_shape.hpp; Azar et al.: Balanced allocations (1994).
#pragma once

#include "src/dedup/block.hpp"
#include "src/dedup/block_shape.hpp"
#include "src/dedup/held.hpp"

#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <vector>

namespace smsrack::dedup {

class BlockTable {
public:
    explicit BlockTable(const TableShape& shape);

    /// The two blocks of a key, and what is kept of it there; of any table of the same shape.
    struct Place {
        std::uint64_t first = 0;
        std::uint64_t second = 0;
        unsigned bucket = 0;
        std::uint64_t value = 0;  ///< in its first block; in the second one plus 1
    };
    [[nodiscard]] Place place_of(std::uint64_t key) const;
    void prefetch(const Place& place) const;
    [[nodiscard]] Held find(const Place& place, std::uint64_t key) const;

    void prefetch(std::uint64_t key) const { prefetch(place_of(key)); }
    [[nodiscard]] Held find(std::uint64_t key) const { return find(place_of(key), key); }
    /// What was held before; a key of which anything was held takes no place.
    Held test_and_insert(std::uint64_t key);
    /// As test_and_insert, but a key that finds no room takes the place of another one, which is lost. `chance` says which.
    /// Only of an exact table. True: one was lost.
    bool insert_evicting(std::uint64_t key, std::uint64_t chance);
    /// Only of an exact table. False: it was not there.
    bool erase(std::uint64_t key);

    /// take(key) of all. Only of an exact table.
    template <typename Take>
    void for_each(const Take& take) const {
        for (std::uint64_t at = 0; at < blocks_.size(); ++at) {
            block_at(at).for_each(shape_.block, [&](unsigned bucket, std::uint64_t value) {
                take(key_of(at, bucket, value));
            });
        }
        for (const std::uint64_t key : spill_) {
            take(key);
        }
    }

    [[nodiscard]] const TableShape& shape() const { return shape_; }
    [[nodiscard]] bool exact() const { return exact_; }
    [[nodiscard]] std::uint64_t keys() const { return keys_; }
    [[nodiscard]] std::uint64_t spilled() const { return spill_.size(); }
    [[nodiscard]] bool full() const { return keys_ >= shape_.keys_max; }
    [[nodiscard]] std::uint64_t bytes() const;

private:
    [[nodiscard]] bool room_in(std::uint64_t block) const;
    [[nodiscard]] std::uint64_t step_of(std::uint64_t rest) const;
    [[nodiscard]] std::uint64_t key_of(std::uint64_t block, unsigned bucket,
                                       std::uint64_t value) const;
    /// False: both blocks are full.
    bool put(const Place& place);
    [[nodiscard]] Block& block_at(std::uint64_t at) {
        return blocks_[static_cast<std::size_t>(at)];
    }
    [[nodiscard]] const Block& block_at(std::uint64_t at) const {
        return blocks_[static_cast<std::size_t>(at)];
    }

    TableShape shape_;
    bool exact_;
    std::uint64_t value_mask_;
    std::uint64_t reciprocal_;  // of the number of blocks, in 2^-64
    std::uint64_t keys_ = 0;
    bool erased_ = false;  // since then a spilled key may have a block with room
    std::vector<Block> blocks_ = {};
    std::unordered_set<std::uint64_t> spill_ = {};
};

}  // namespace smsrack::dedup
