/// The filters of a trigger as octets and back, so that a start need not read every record.
///
///     SnapshotWriter::next() ... until empty  ->  one file  ->  restored_set()
///
/// A snapshot tells the place in the records up to which it surely has everything. What was claimed or given back
/// after that place is told to the restored set again, in order; it may be there already. Whoever writes the file makes it
/// whole before it has its name (write, sync, rename), and keeps it private, since the key of the filters is in it.
/// Unit:    `position` is the caller's: the last row or log entry that was told to the set before the writer was made.
/// Threads: the writer: one; the set is used by others meanwhile, a piece holds its lock while it copies one topic
///          (1,000,000 numbers at 1e-4: 2.25 MB, about a millisecond).
/// Errors:  of restored_set: protocol: not a snapshot of this version; storage: cut off or damaged; conflict: made for another
///          capacity or rate. In each case: rebuild from the records.
/// Source:  little endian; each section ends with XXH3 of itself and begins with that of the one before.
#pragma once

#include "src/base/result.hpp"
#include "src/dedup/serving_set.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace smsrack::dedup {

class SnapshotWriter {
public:
    /// The set outlives it. `position` was read before.
    SnapshotWriter(const ServingSet& set, std::uint64_t position);

    /// The next octets of the file, at most one topic; empty: that was all.
    [[nodiscard]] std::vector<std::byte> next();

private:
    const ServingSet& set_;
    const std::uint64_t position_;
    std::vector<std::uint32_t> topics_ = {};
    std::size_t written_ = 0;
    std::uint64_t seal_ = 0;  // of the section before
    bool begun_ = false;
};

struct RestoredSet {
    std::unique_ptr<ServingSet> set = {};
    std::uint64_t position = 0;
};

[[nodiscard]] Result<RestoredSet> restored_set(std::span<const std::byte> octets,
                                               const FilterSize& size);

}  // namespace smsrack::dedup
