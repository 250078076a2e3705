#include "db/engine/bloom.hpp"

#include <algorithm>
#include <cstring>

namespace smsrack::db {
namespace {

constexpr std::size_t bits_per_entry = 12;
constexpr std::size_t words_per_line = BloomKey::words_per_line;
constexpr std::uint64_t bits_per_line = 512;

}  // namespace

/// Line from the upper half of the mixed hash, places in it by double hashing with the lower.
BloomKey::BloomKey(std::uint64_t hash) {
    const std::uint64_t mixed = (hash ^ (hash >> 29U)) * 0xBF58476D1CE4E5B9U;
    line_ = static_cast<std::uint32_t>(mixed >> 32U);
    std::uint64_t place = mixed & 0xFFFFU;
    const std::uint64_t stride = ((mixed >> 16U) & 0xFFFFU) | 1U;
    for (std::uint16_t& bit : bits_) {
        bit = static_cast<std::uint16_t>(place % bits_per_line);
        place += stride;
    }
}

Bloom::Bloom(std::size_t entries) {
    const std::uint64_t bits = std::uint64_t{entries} * bits_per_entry;
    const auto lines = static_cast<std::size_t>(
        std::max<std::uint64_t>(1, (bits + bits_per_line - 1) / bits_per_line));
    words_.resize(lines * words_per_line);
}

Bloom::Bloom(std::string_view bytes) {
    const std::size_t lines = bytes.size() / sizeof(std::uint64_t) / words_per_line;
    words_.resize(lines * words_per_line);
    if (!words_.empty()) {
        std::memcpy(words_.data(), bytes.data(), words_.size() * sizeof(std::uint64_t));
    }
}

void Bloom::add(std::uint64_t hash) {
    const BloomKey key(hash);
    const std::size_t line = key.first_word(words_.size());
    for (const std::uint16_t bit : key.bits()) {
        words_[line + bit / 64] |= std::uint64_t{1} << (bit % 64U);
    }
}

std::string_view Bloom::bytes() const {
    return {reinterpret_cast<const char*>(words_.data()), words_.size() * sizeof(std::uint64_t)};
}

}  // namespace smsrack::db
