#include "db/recent_hashes.hpp"

#include <algorithm>
#include <functional>

namespace smsrack::db {
namespace {

constexpr std::size_t places_at_first = 1'024;

}  // namespace

std::size_t RecentHashes::home(HashKind kind, std::int64_t hash) const {
    const auto kind_bits = static_cast<std::uint64_t>(kind) * 0x9E3779B97F4A7C15U;
    return static_cast<std::size_t>(static_cast<std::uint64_t>(hash) ^ kind_bits) &
           (places_.size() - 1);
}

void RecentHashes::place(const HashEntry& entry) {
    std::size_t at = home(entry.kind, entry.hash);
    while (places_[at].id != MessageId{}) {
        at = (at + 1) & (places_.size() - 1);
    }
    places_[at] = entry;
}

void RecentHashes::grow() {
    std::vector<HashEntry> old(std::max(places_at_first, places_.size() * 2));
    old.swap(places_);
    for (const HashEntry& entry : old) {
        if (entry.id != MessageId{}) {
            place(entry);
        }
    }
}

void RecentHashes::add(const HashEntry& entry) {
    if ((size_ + 1) * 3 > places_.size() * 2) {
        grow();
    }
    place(entry);
    ++size_;
}

std::vector<MessageId> RecentHashes::find(HashKind kind, std::int64_t hash) const {
    std::vector<MessageId> ids;
    if (places_.empty()) {
        return ids;
    }
    for (std::size_t at = home(kind, hash); places_[at].id != MessageId{};
         at = (at + 1) & (places_.size() - 1)) {
        if (places_[at].kind == kind && places_[at].hash == hash) {
            ids.push_back(places_[at].id);
        }
    }
    std::ranges::sort(ids, std::greater<>{});
    return ids;
}

std::vector<HashEntry> RecentHashes::take_sorted() {
    std::vector<HashEntry> entries;
    entries.swap(places_);
    size_ = 0;
    std::erase_if(entries, [](const HashEntry& entry) { return entry.id == MessageId{}; });
    std::ranges::sort(entries);
    return entries;
}

}  // namespace smsrack::db
