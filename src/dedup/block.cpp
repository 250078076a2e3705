#include "src/dedup/block.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace smsrack::dedup {
namespace {

constexpr std::uint64_t low_bits(unsigned count) {
    return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

constexpr std::uint64_t each_octet = 0x0101010101010101;

/// Where the ones of an octet are: in_octet[n][octet] is the place of its n-th, from 0.
constexpr auto in_octet = [] {
    std::array<std::array<std::uint8_t, 256>, 8> places{};
    for (unsigned octet = 0; octet < 256; ++octet) {
        unsigned found = 0;
        for (unsigned bit = 0; bit < 8; ++bit) {
            if ((octet >> bit & 1U) != 0) {
                places[found++][octet] = static_cast<std::uint8_t>(bit);
            }
        }
    }
    return places;
}();

/// The place of the n-th one, from 0; there is one. (Vigna: Broadword implementation of rank/select queries, 2008.)
unsigned select(std::uint64_t word, unsigned n) {
    std::uint64_t sums = word - ((word >> 1U) & 0x5555555555555555U);
    sums = (sums & 0x3333333333333333U) + ((sums >> 2U) & 0x3333333333333333U);
    sums = ((sums + (sums >> 4U)) & 0x0F0F0F0F0F0F0F0FU) * each_octet;  // ones up to each octet
    // The octets whose sum is at most n have all their ones before: a 7-bit compare, since a sum is at most 64.
    const std::uint64_t before =
        (((n * each_octet) | (each_octet << 7U)) - sums) >> 7U & each_octet;
    const auto shift = static_cast<unsigned>((before * each_octet) >> 56U) * 8;
    const auto ones_before = static_cast<unsigned>((sums << 8U) >> shift & 0xFFU);
    return shift + in_octet[n - ones_before][word >> shift & 0xFFU];
}

}  // namespace

Block::Block(const BlockShape& shape) {
    words_[0] = low_bits(shape.buckets());
}

std::uint64_t Block::meta(const BlockShape& shape) const {
    return words_[0] & low_bits(shape.meta_bits());
}

void Block::set_meta(const BlockShape& shape, std::uint64_t meta) {
    words_[0] = (words_[0] & ~low_bits(shape.meta_bits())) | meta;
}

unsigned Block::entries(const BlockShape& shape) const {
    return static_cast<unsigned>(std::bit_width(meta(shape))) - shape.buckets();
}

bool Block::is_sound(const BlockShape& shape) const {
    return static_cast<unsigned>(std::popcount(meta(shape))) == shape.buckets();
}

Block::Run Block::run_of(const BlockShape& shape, unsigned bucket) const {
    const std::uint64_t ends = meta(shape);
    const unsigned bit = bucket == 0 ? 0 : select(ends, bucket - 1) + 1;
    return {.bit = bit, .entries = static_cast<unsigned>(std::countr_zero(ends >> bit))};
}

std::uint64_t Block::value_at(const BlockShape& shape, unsigned slot) const {
    const unsigned at = shape.meta_bits() + slot * shape.width;
    const std::size_t word = at / 64;
    const unsigned shift = at % 64;
    std::uint64_t value = words_[word] >> shift;
    if (shift + shape.width > 64) {
        value |= words_[word + 1] << (64 - shift);
    }
    return value & low_bits(shape.width);
}

bool Block::holds(const BlockShape& shape, unsigned bucket, std::uint64_t value) const {
    const Run run = run_of(shape, bucket);
    for (unsigned i = 0; i < run.entries; ++i) {
        if (value_at(shape, run.bit - bucket + i) == value) {
            return true;
        }
    }
    return false;
}

void Block::insert(const BlockShape& shape, unsigned bucket, std::uint64_t value) {
    const unsigned bit = run_of(shape, bucket).bit;
    const unsigned at = shape.meta_bits() + (bit - bucket) * shape.width;
    const std::size_t word = at / 64;
    const unsigned shift = at % 64;
    const std::uint64_t moved = words_[word] & ~low_bits(shift);  // from the new entry's place on
    for (std::size_t i = words_.size() - 1; i > word; --i) {
        const std::uint64_t below = i - 1 == word ? moved : words_[i - 1];
        words_[i] = words_[i] << shape.width | below >> (64 - shape.width);
    }
    words_[word] = (words_[word] & low_bits(shift)) | moved << shape.width | value << shift;
    if (shift + shape.width > 64) {
        words_[word + 1] |= value >> (64 - shift);
    }
    const std::uint64_t ends = meta(shape);
    set_meta(shape, (ends & low_bits(bit)) | (ends >> bit << bit) << 1U);
}

bool Block::erase(const BlockShape& shape, unsigned bucket, std::uint64_t value) {
    const Run run = run_of(shape, bucket);
    unsigned slot = run.bit - bucket;
    const unsigned end = slot + run.entries;
    while (slot < end && value_at(shape, slot) != value) {
        ++slot;
    }
    if (slot == end) {
        return false;
    }
    const unsigned at = shape.meta_bits() + slot * shape.width;
    const std::uint64_t kept = words_[at / 64] & low_bits(at % 64);
    for (std::size_t i = at / 64; i < words_.size(); ++i) {
        const std::uint64_t above = i + 1 < words_.size() ? words_[i + 1] : 0;
        words_[i] = words_[i] >> shape.width | above << (64 - shape.width);
    }
    words_[at / 64] = (words_[at / 64] & ~low_bits(at % 64)) | kept;
    const std::uint64_t ends = meta(shape);
    const std::uint64_t above_run = ends >> run.bit >> 1U;
    set_meta(shape, (ends & low_bits(run.bit)) | above_run << run.bit);
    return true;
}

}  // namespace smsrack::dedup
