#include "db/engine/bloom.hpp"

#include <algorithm>
#include <cstring>

namespace smsrack::db {
namespace {

constexpr std::size_t bits_per_entry = 12;
constexpr int bits_set = 6;
constexpr std::size_t words_per_line = 8;
constexpr std::uint64_t bits_per_line = 512;

/// Line from the upper half of the hash, places in it by double hashing with the lower.
struct Place {
    std::size_t first_word;
    std::uint64_t bit;
    std::uint64_t stride;
};

Place place_of(std::uint64_t hash, std::size_t words) {
    const std::uint64_t lines = words / words_per_line;
    const std::uint64_t mixed = (hash ^ (hash >> 29U)) * 0xBF58476D1CE4E5B9U;
    return {.first_word = static_cast<std::size_t>((mixed >> 32U) % lines) * words_per_line,
            .bit = mixed & 0xFFFFU,
            .stride = ((mixed >> 16U) & 0xFFFFU) | 1U};
}

}  // namespace

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
    Place place = place_of(hash, words_.size());
    for (int i = 0; i < bits_set; ++i) {
        const auto bit = static_cast<std::size_t>(place.bit % bits_per_line);
        words_[place.first_word + bit / 64] |= std::uint64_t{1} << (bit % 64);
        place.bit += place.stride;
    }
}

bool Bloom::may_hold(std::uint64_t hash) const {
    if (words_.empty()) {
        return true;
    }
    Place place = place_of(hash, words_.size());
    for (int i = 0; i < bits_set; ++i) {
        const auto bit = static_cast<std::size_t>(place.bit % bits_per_line);
        if ((words_[place.first_word + bit / 64] & (std::uint64_t{1} << (bit % 64))) == 0) {
            return false;
        }
        place.bit += place.stride;
    }
    return true;
}

std::string_view Bloom::bytes() const {
    return {reinterpret_cast<const char*>(words_.data()), words_.size() * sizeof(std::uint64_t)};
}

}  // namespace smsrack::db
