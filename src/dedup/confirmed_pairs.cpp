#include "src/dedup/confirmed_pairs.hpp"

#include "src/base/check.hpp"
#include "src/dedup/block_table.hpp"
#include "src/dedup/pipelined.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::dedup {
namespace {

constexpr unsigned pair_bits = 64;  // 50 of the number, 14 of the topic
constexpr unsigned parts_log2 = 8;  // a part that grows moves 200,000 pairs at most, in some 10 ms
constexpr unsigned key_bits = pair_bits - parts_log2;

TableShape next_shape(const TableShape& shape, std::uint64_t blocks_max) {
    return exact_shape_of(key_bits, std::min(shape.blocks + shape.blocks / 2 + 1, blocks_max));
}

}  // namespace

struct ConfirmedPairs::Part {
    std::mutex lock = {};                           // guards all below
    BlockTable table{exact_shape_of(key_bits, 2)};  // spills only while it may still grow
    std::uint64_t evicted = 0;

    void grow(std::uint64_t blocks_max) {
        BlockTable next(next_shape(table.shape(), blocks_max));
        const bool last = next.shape().blocks == blocks_max;
        table.for_each([&](std::uint64_t key) {
            if (!last) {
                (void)next.test_and_insert(key);
            } else if (next.insert_evicting(key, key >> 1U)) {
                ++evicted;
            }
        });
        table = std::move(next);
    }
};

/// A pair whose memory is on its way; when it is there, its part may have grown.
struct ConfirmedPairs::Asked {
    Place place = {};
    BlockTable::Place in_table = {};
    std::uint64_t blocks = 0;
};

ConfirmedPairs::ConfirmedPairs(std::size_t bytes_max, const HashKey& key)
    : cipher_(pair_bits, key), blocks_max_((bytes_max >> parts_log2) / sizeof(Block)) {
    for (unsigned i = 0; i < 1U << parts_log2; ++i) {
        parts_.push_back(std::make_unique<Part>());
    }
}

ConfirmedPairs::~ConfirmedPairs() = default;

ConfirmedPairs::Place ConfirmedPairs::place_of(const PairKey& pair) const {
    constexpr unsigned number_bits = 50;
    SMSRACK_CHECK(is_pair(pair));
    const std::uint64_t code =
        cipher_.encrypt(std::uint64_t{pair.topic} << number_bits | pair.number);
    return {.part = parts_[static_cast<std::size_t>(code >> key_bits)].get(),
            .key = code & ((std::uint64_t{1} << key_bits) - 1)};
}

ConfirmedPairs::Asked ConfirmedPairs::asked(const PairKey& pair) const {
    const Place place = place_of(pair);
    const std::lock_guard guard(place.part->lock);
    const BlockTable& table = place.part->table;
    const Asked asked{
        .place = place, .in_table = table.place_of(place.key), .blocks = table.shape().blocks};
    table.prefetch(asked.in_table);
    return asked;
}

bool ConfirmedPairs::contains(const PairKey& pair) const {
    const Place place = place_of(pair);
    const std::lock_guard guard(place.part->lock);
    return place.part->table.find(place.key) == Held::yes;
}

void ConfirmedPairs::insert(const PairKey& pair) {
    if (blocks_max_ >= 2) {
        insert(place_of(pair));
    }
}

void ConfirmedPairs::insert(const Place& place) {
    const std::lock_guard guard(place.part->lock);
    BlockTable& table = place.part->table;
    if (table.full() && table.shape().blocks < blocks_max_) {
        place.part->grow(blocks_max_);
    }
    if (table.shape().blocks < blocks_max_) {
        (void)table.test_and_insert(place.key);
    } else if (table.insert_evicting(place.key, place.key >> 1U)) {
        ++place.part->evicted;
    }
}

void ConfirmedPairs::erase(const PairKey& pair) {
    const Place place = place_of(pair);
    const std::lock_guard guard(place.part->lock);
    (void)place.part->table.erase(place.key);
}

void ConfirmedPairs::contains(std::span<const PairKey> pairs, std::span<bool> found) const {
    SMSRACK_CHECK(pairs.size() == found.size());
    pipelined<Asked>(
        pairs.size(), [&](std::size_t i) { return asked(pairs[i]); },
        [&](std::size_t i, const Asked& one) {
            const std::lock_guard guard(one.place.part->lock);
            const BlockTable& table = one.place.part->table;
            const bool grown = table.shape().blocks != one.blocks;
            found[i] = (grown ? table.find(one.place.key)
                              : table.find(one.in_table, one.place.key)) == Held::yes;
        });
}

void ConfirmedPairs::insert(std::span<const PairKey> pairs) {
    if (blocks_max_ >= 2) {
        pipelined<Asked>(
            pairs.size(), [&](std::size_t i) { return asked(pairs[i]); },
            [&](std::size_t, const Asked& one) { insert(one.place); });
    }
}

template <typename Figure>
std::uint64_t ConfirmedPairs::sum(const Figure& figure) const {
    std::uint64_t all = 0;
    for (const auto& part : parts_) {
        const std::lock_guard guard(part->lock);
        all += figure(*part);
    }
    return all;
}

std::uint64_t ConfirmedPairs::pairs() const {
    return sum([](const Part& part) { return part.table.keys(); });
}

std::uint64_t ConfirmedPairs::bytes() const {
    return sum([](const Part& part) { return part.table.bytes(); });
}

std::uint64_t ConfirmedPairs::evicted() const {
    return sum([](const Part& part) { return part.evicted; });
}

}  // namespace smsrack::dedup
