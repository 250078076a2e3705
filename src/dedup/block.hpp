/// One cache line of a table: holds the entries of several buckets.
///
/// Threads: one.
/// Source:  block_shape.hpp has the layout.
#pragma once

#include "src/dedup/block_shape.hpp"

#include <array>
#include <cstdint>

namespace smsrack::dedup {

class alignas(block_bits / 8) Block {
public:
    Block() = default;  ///< of no shape yet: only to be overwritten
    explicit Block(const BlockShape& shape);

    [[nodiscard]] unsigned entries(const BlockShape& shape) const;
    [[nodiscard]] bool holds(const BlockShape& shape, unsigned bucket, std::uint64_t value) const;
    /// Has room.
    void insert(const BlockShape& shape, unsigned bucket, std::uint64_t value);
    /// False: it was not there.
    bool erase(const BlockShape& shape, unsigned bucket, std::uint64_t value);

    /// take(bucket, value) of each entry.
    template <typename Take>
    void for_each(const BlockShape& shape, const Take& take) const {
        unsigned bucket = 0;
        const unsigned count = entries(shape);
        for (unsigned bit = 0; bit < count + shape.buckets(); ++bit) {
            if ((words_[0] >> bit & 1U) != 0) {
                ++bucket;
            } else {
                take(bucket, value_at(shape, bit - bucket));
            }
        }
    }

    /// Whether these can be the octets of such a block: what a disk gave is asked.
    [[nodiscard]] bool is_sound(const BlockShape& shape) const;

private:
    /// The bits of a bucket: the first one, and how many of its entries follow from there.
    struct Run {
        unsigned bit = 0;
        unsigned entries = 0;
    };
    [[nodiscard]] Run run_of(const BlockShape& shape, unsigned bucket) const;
    [[nodiscard]] std::uint64_t meta(const BlockShape& shape) const;
    void set_meta(const BlockShape& shape, std::uint64_t meta);
    [[nodiscard]] std::uint64_t value_at(const BlockShape& shape, unsigned slot) const;

    std::array<std::uint64_t, 8> words_ = {};
};

}  // namespace smsrack::dedup
