#include "src/dedup/block_table.hpp"

#include "src/base/check.hpp"
#include "src/base/high_product.hpp"

namespace smsrack::dedup {
namespace {

/// Memory of one key in a std::unordered_set: its node, its share of the buckets.
constexpr std::uint64_t spill_bytes = 40;

}  // namespace

BlockTable::BlockTable(const TableShape& shape)
    : shape_(shape),
      exact_(is_exact(shape)),
      value_mask_((std::uint64_t{1} << shape.block.width) - 1),
      reciprocal_(~std::uint64_t{0} / shape.blocks),
      blocks_(static_cast<std::size_t>(shape.blocks), Block(shape.block)) {
    SMSRACK_CHECK(shape.block.fits() && shape.blocks >= 2 && shape.key_bits < 64);
}

/// From a key's first block to its second: never 0, and known from what is left of the key.
std::uint64_t BlockTable::step_of(std::uint64_t rest) const {
    std::uint64_t mixed = (rest + 0x9E3779B97F4A7C15U) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ (mixed >> 32U)) * 0x94D049BB133111EBU;
    return 1 + high_product(mixed, shape_.blocks - 1);
}

BlockTable::Place BlockTable::place_of(std::uint64_t key) const {
    // A division by what stays the same: the product is the quotient, or one less.
    std::uint64_t rest = high_product(key, reciprocal_);
    std::uint64_t first = key - rest * shape_.blocks;
    if (first >= shape_.blocks) {
        ++rest;
        first -= shape_.blocks;
    }
    std::uint64_t second = first + step_of(rest);
    second -= second >= shape_.blocks ? shape_.blocks : 0;
    return {.first = first,
            .second = second,
            .bucket = static_cast<unsigned>(rest & (shape_.block.buckets() - 1)),
            .value = (rest >> shape_.block.buckets_log2 << 1U) & value_mask_};
}

std::uint64_t BlockTable::key_of(std::uint64_t block, unsigned bucket, std::uint64_t value) const {
    const std::uint64_t rest = value >> 1U << shape_.block.buckets_log2 | bucket;
    std::uint64_t first = block;
    if ((value & 1U) != 0) {
        const std::uint64_t step = step_of(rest);
        first = block >= step ? block - step : block + shape_.blocks - step;
    }
    return rest * shape_.blocks + first;
}

void BlockTable::prefetch(const Place& place) const {
    __builtin_prefetch(&block_at(place.first));
    __builtin_prefetch(&block_at(place.second));
}

bool BlockTable::room_in(std::uint64_t block) const {
    return block_at(block).entries(shape_.block) < shape_.block.slots;
}

Held BlockTable::find(const Place& place, std::uint64_t key) const {
    if (block_at(place.first).holds(shape_.block, place.bucket, place.value) ||
        block_at(place.second).holds(shape_.block, place.bucket, place.value | 1U)) {
        return exact_ ? Held::yes : Held::maybe;
    }
    const bool may_be_spilled =
        !spill_.empty() && (erased_ || (!room_in(place.first) && !room_in(place.second)));
    return may_be_spilled && spill_.contains(key) ? Held::yes : Held::no;
}

bool BlockTable::put(const Place& place) {
    const unsigned in_first = block_at(place.first).entries(shape_.block);
    const unsigned in_second = block_at(place.second).entries(shape_.block);
    const bool second = in_second < in_first;
    if ((second ? in_second : in_first) == shape_.block.slots) {
        return false;
    }
    block_at(second ? place.second : place.first)
        .insert(shape_.block, place.bucket, place.value | (second ? 1U : 0U));
    return true;
}

Held BlockTable::test_and_insert(std::uint64_t key) {
    const Place place = place_of(key);
    const Held before = find(place, key);
    if (before == Held::no) {
        if (!put(place)) {
            spill_.insert(key);
        }
        ++keys_;
    }
    return before;
}

bool BlockTable::insert_evicting(std::uint64_t key, std::uint64_t chance) {
    SMSRACK_CHECK(exact_ && spill_.empty());
    const Place place = place_of(key);
    if (find(place, key) != Held::no) {
        return false;
    }
    const bool lost = !room_in(place.first) && !room_in(place.second);
    if (lost) {
        auto left = static_cast<unsigned>(chance % shape_.block.slots);
        const Block before = block_at(place.first);
        before.for_each(shape_.block, [&](unsigned bucket, std::uint64_t value) {
            if (left-- == 0) {
                block_at(place.first).erase(shape_.block, bucket, value);
            }
        });
        --keys_;
    }
    SMSRACK_CHECK(put(place));
    ++keys_;
    return lost;
}

bool BlockTable::erase(std::uint64_t key) {
    SMSRACK_CHECK(exact_);
    const Place place = place_of(key);
    if (!block_at(place.first).erase(shape_.block, place.bucket, place.value) &&
        !block_at(place.second).erase(shape_.block, place.bucket, place.value | 1U) &&
        spill_.erase(key) == 0) {
        return false;
    }
    erased_ = true;
    --keys_;
    return true;
}

std::uint64_t BlockTable::bytes() const {
    return blocks_.size() * sizeof(Block) + spill_.size() * spill_bytes;
}

}  // namespace smsrack::dedup
