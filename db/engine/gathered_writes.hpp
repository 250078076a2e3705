/// Gathers octets that are written one behind the other to a file, to hand them over as one write.
///
/// SQLite writes each page of a commit to its log in two parts, 24 octets and the page. Each is a
/// system call; the file system takes longer for it than for copying the octets.
/// Unit:    at most octets_max: some 60 pages, which is more than a usual commit has.
/// Threads: one at a time.
/// Errors:  none; the memory is the object's own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace smsrack::db {

class GatheredWrites {
public:
    static constexpr std::size_t octets_max = std::size_t{64} * 1024;

    [[nodiscard]] bool empty() const { return size_ == 0; }
    /// Where the first octet belongs in the file.
    [[nodiscard]] std::int64_t offset() const { return offset_; }
    /// What is here, until the next call.
    [[nodiscard]] std::span<const char> octets() const { return std::span(octets_).first(size_); }

    /// False: it does not follow what is here, or there is no room; nothing was taken.
    [[nodiscard]] bool add(std::span<const char> octets, std::int64_t offset) {
        const bool follows = empty() || offset == offset_ + static_cast<std::int64_t>(size_);
        if (!follows || octets.size() > octets_max - size_) {
            return false;
        }
        offset_ = empty() ? offset : offset_;
        std::memcpy(octets_.data() + size_, octets.data(), octets.size());
        size_ += octets.size();
        return true;
    }
    void clear() { size_ = 0; }

private:
    std::int64_t offset_ = 0;
    std::size_t size_ = 0;
    std::array<char, octets_max> octets_;
};

}  // namespace smsrack::db
