#include "db/read/recent_hashes.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace smsrack::db {
namespace {

constexpr std::size_t heads_at_first = 1'024;
constexpr auto none = std::numeric_limits<std::uint32_t>::max();

}  // namespace

std::size_t RecentHashes::head_of(HashKind kind, std::int64_t hash) const {
    const auto kind_bits = static_cast<std::uint64_t>(kind) * 0x9E3779B97F4A7C15U;
    return static_cast<std::size_t>(static_cast<std::uint64_t>(hash) ^ kind_bits) &
           (heads_.size() - 1);
}

void RecentHashes::link(std::uint32_t entry) {
    std::uint32_t& head = heads_[head_of(entries_[entry].kind, entries_[entry].hash)];
    next_[entry] = head;
    head = entry;
}

void RecentHashes::grow() {
    heads_.assign(std::max(heads_at_first, heads_.size() * 2), none);
    for (std::uint32_t entry = 0; entry < entries_.size(); ++entry) {
        link(entry);
    }
}

void RecentHashes::add(const HashEntry& entry) {
    if (entries_.size() == heads_.size()) {
        grow();
    }
    entries_.push_back(entry);
    next_.push_back(none);
    link(static_cast<std::uint32_t>(entries_.size() - 1));
}

bool RecentHashes::find(HashKind kind, std::int64_t hash,
                        const std::function<bool(MessageId)>& match) const {
    if (heads_.empty()) {
        return false;
    }
    for (std::uint32_t at = heads_[head_of(kind, hash)]; at != none; at = next_[at]) {
        if (entries_[at].kind == kind && entries_[at].hash == hash && match(entries_[at].id)) {
            return true;
        }
    }
    return false;
}

std::vector<HashEntry> RecentHashes::take_sorted() {
    std::vector<HashEntry> entries = std::move(entries_);
    *this = RecentHashes();
    std::ranges::sort(entries);
    return entries;
}

}  // namespace smsrack::db
