/// Says that a hash is surely not in a set, or may be.
///
/// Blocked: all bits of one hash lie in one cache line, so a question costs one miss. 12 bits an
/// entry and 6 bits set give about 1 % of false "may be".
/// Threads: one.
/// Source:  Putze, Sanders, Singler: Cache-, hash- and space-efficient Bloom filters (2007).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace smsrack::db {

class Bloom {
public:
    Bloom() = default;  ///< may hold anything
    explicit Bloom(std::size_t entries);
    explicit Bloom(std::string_view bytes);  ///< as bytes() gave them

    void add(std::uint64_t hash);
    [[nodiscard]] bool may_hold(std::uint64_t hash) const;
    [[nodiscard]] std::string_view bytes() const;

private:
    std::vector<std::uint64_t> words_ = {};  // lines of 8 words
};

}  // namespace smsrack::db
