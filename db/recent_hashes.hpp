/// Hash -> message ids in memory: open addressing, nothing is ever taken out but all at once.
///
/// Unit:    entries of 24 octets; at most twice as many places as entries.
/// Threads: one.
#pragma once

#include "src/base/ids.hpp"

#include <compare>
#include <cstdint>
#include <vector>

namespace smsrack::db {

/// The numbers are stored: never change one.
enum class HashKind : std::uint8_t { ref = 0, recipient = 1, text = 2 };

struct HashEntry {
    HashKind kind = HashKind::ref;
    std::int64_t hash = 0;  ///< signed, as SQLite orders it
    MessageId id = {};      ///< 0: an empty place
    friend constexpr auto operator<=>(const HashEntry&, const HashEntry&) = default;
};

class RecentHashes {
public:
    void add(const HashEntry& entry);

    /// Newest first.
    [[nodiscard]] std::vector<MessageId> find(HashKind kind, std::int64_t hash) const;

    /// All entries, sorted; the table is empty afterwards and has given its memory back.
    [[nodiscard]] std::vector<HashEntry> take_sorted();

    [[nodiscard]] std::size_t size() const { return size_; }

private:
    void grow();
    void place(const HashEntry& entry);
    [[nodiscard]] std::size_t home(HashKind kind, std::int64_t hash) const;

    std::vector<HashEntry> places_ = {};  // a power of two of them
    std::size_t size_ = 0;
};

}  // namespace smsrack::db
