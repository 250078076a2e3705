/// Says that a hash is surely not in a set, or may be.
///
/// Blocked: all bits of one hash lie in one cache line, so a question costs one miss. 12 bits an
/// entry and 6 bits set give about 1 % of false "may be".
/// Threads: one.
/// Source:  Putze, Sanders, Singler: Cache-, hash- and space-efficient Bloom filters (2007).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace smsrack::db {

/// Where the bits of one hash are, in filters of any size: many are asked about the same hash.
class BloomKey {
public:
    explicit BloomKey(std::uint64_t hash);

    static constexpr std::size_t words_per_line = 8;
    static constexpr std::size_t bits_set = 6;

    /// The first word of its line; `words`: of the filter.
    [[nodiscard]] std::size_t first_word(std::size_t words) const {
        return (line_ % static_cast<std::uint32_t>(words / words_per_line)) * words_per_line;
    }
    /// Its bits of the words of that line.
    [[nodiscard]] const std::array<std::uint16_t, bits_set>& bits() const { return bits_; }

private:
    std::uint32_t line_;
    std::array<std::uint16_t, bits_set> bits_ = {};
};

class Bloom {
public:
    Bloom() = default;  ///< may hold anything
    explicit Bloom(std::size_t entries);
    explicit Bloom(std::string_view bytes);  ///< as bytes() gave them

    void add(std::uint64_t hash);
    [[nodiscard]] bool may_hold(const BloomKey& key) const {
        if (words_.empty()) {
            return true;
        }
        const std::uint64_t* const line = words_.data() + key.first_word(words_.size());
        for (const std::uint16_t bit : key.bits()) {
            if ((line[bit / 64] & (std::uint64_t{1} << (bit % 64U))) == 0) {
                return false;
            }
        }
        return true;
    }
    [[nodiscard]] std::string_view bytes() const;

private:
    std::vector<std::uint64_t> words_ = {};  // lines of 8 words
};

}  // namespace smsrack::db
