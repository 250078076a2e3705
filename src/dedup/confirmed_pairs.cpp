#include "src/dedup/confirmed_pairs.hpp"

#include "src/base/check.hpp"

namespace smsrack::dedup {

ConfirmedPairs::ConfirmedPairs(std::size_t bytes_max, const HashKey& /*key*/)
    : pairs_max_(bytes_max / 32) {}

bool ConfirmedPairs::contains(const PairKey& pair) const {
    const std::lock_guard guard(lock_);
    return pairs_.contains(pair);
}

void ConfirmedPairs::insert(const PairKey& pair) {
    const std::lock_guard guard(lock_);
    if (pairs_max_ == 0 || pairs_.contains(pair)) {
        return;
    }
    if (pairs_.size() == pairs_max_) {
        pairs_.erase(pairs_.begin());
        ++evicted_;
    }
    pairs_.insert(pair);
}

void ConfirmedPairs::erase(const PairKey& pair) {
    const std::lock_guard guard(lock_);
    pairs_.erase(pair);
}

void ConfirmedPairs::contains(std::span<const PairKey> pairs, std::span<bool> found) const {
    SMSRACK_CHECK(pairs.size() == found.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        found[i] = contains(pairs[i]);
    }
}

void ConfirmedPairs::insert(std::span<const PairKey> pairs) {
    for (const PairKey& pair : pairs) {
        insert(pair);
    }
}

std::uint64_t ConfirmedPairs::pairs() const {
    const std::lock_guard guard(lock_);
    return pairs_.size();
}

std::uint64_t ConfirmedPairs::bytes() const {
    return pairs() * 32;
}

std::uint64_t ConfirmedPairs::evicted() const {
    const std::lock_guard guard(lock_);
    return evicted_;
}

}  // namespace smsrack::dedup
