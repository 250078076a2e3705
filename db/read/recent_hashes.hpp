/// Hash -> message ids in memory: chains, so that thousands with one hash (all to one number) are in the way of few others; nothing is ever taken
/// out but all at once.
///
/// Unit:    entries of 24 octets, and 4 for its chain; heads of chains, of 4 octets: 1,024, or at most twice as many as entries.
/// Threads: one.
#pragma once

#include "src/base/ids.hpp"

#include <compare>
#include <cstdint>
#include <functional>
#include <vector>

namespace smsrack::db {

/// The numbers are stored: never change one.
enum class HashKind : std::uint8_t { ref = 0, recipient = 1, text = 2 };

struct HashEntry {
    HashKind kind = HashKind::ref;
    std::int64_t hash = 0;  ///< signed, as SQLite orders it
    MessageId id = {};
    friend constexpr auto operator<=>(const HashEntry&, const HashEntry&) = default;
};

class RecentHashes {
public:
    void add(const HashEntry& entry);

    /// The last added first, until `match` says that this is it; true when it did.
    bool find(HashKind kind, std::int64_t hash, const std::function<bool(MessageId)>& match) const;

    /// All entries, sorted; the table is empty afterwards and has given its memory back.
    [[nodiscard]] std::vector<HashEntry> take_sorted();

    [[nodiscard]] std::size_t size() const { return entries_.size(); }

private:
    void grow();
    void link(std::uint32_t entry);
    [[nodiscard]] std::size_t head_of(HashKind kind, std::int64_t hash) const;

    std::vector<HashEntry> entries_ = {};    // as they came
    std::vector<std::uint32_t> next_ = {};   // of each entry: the one before it in its chain
    std::vector<std::uint32_t> heads_ = {};  // the newest of each chain; a power of two of them
};

}  // namespace smsrack::db
