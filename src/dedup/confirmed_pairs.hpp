/// A bounded cache of pairs that the exact index was seen to hold. It is between the filters and
/// the index, and has no false positives.
///
/// It grows with what it is given up to its bound, then each new pair takes the place of another
/// one. The code that gives a pair back (a claim released, a record too old) erases it here in the
/// same step, since a hit is trusted.
/// Unit:    octets; about 6 a pair, so 256 MiB hold 40,000,000.
/// Threads: any; a call holds the lock of one 256th of the pairs for about a microsecond.
/// Source:  docs/decisions/0021-filters-of-topics.md.
#pragma once

#include "src/base/keyed_hash.hpp"
#include "src/dedup/key_cipher.hpp"
#include "src/dedup/pair_key.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace smsrack::dedup {

class ConfirmedPairs {
public:
    static constexpr std::size_t usual_bytes = std::size_t{256} << 20U;

    /// Below 32 KiB it keeps nothing.
    ConfirmedPairs(std::size_t bytes_max, const HashKey& key);
    ConfirmedPairs(const ConfirmedPairs&) = delete;
    ConfirmedPairs& operator=(const ConfirmedPairs&) = delete;
    ~ConfirmedPairs();

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
    struct Part;
    /// Where a pair belongs, and its key there.
    struct Place {
        Part* part = nullptr;
        std::uint64_t key = 0;
    };
    [[nodiscard]] Place place_of(const PairKey& pair) const;
    struct Asked;
    [[nodiscard]] Asked asked(const PairKey& pair) const;
    void insert(const Place& place);
    template <typename Figure>
    [[nodiscard]] std::uint64_t sum(const Figure& figure) const;

    KeyCipher cipher_;
    std::uint64_t blocks_max_;  // of a part; below 2: keeps nothing
    std::vector<std::unique_ptr<Part>> parts_;
};

}  // namespace smsrack::dedup
