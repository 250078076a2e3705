/// Whether writes are kept, as of the last batch: what ports::StoreHealth shows.
///
/// Threads: failed() and kept() by the writing thread, trouble() by any.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/result.hpp"
#include "src/ports/store_health.hpp"

#include <filesystem>
#include <mutex>
#include <optional>

namespace smsrack::db {

/// What kind of failure SQLite's code says; `folder`: a write that failed where there is no room is a full disk.
[[nodiscard]] ports::StoreFault fault_of(const Error& failure, const std::filesystem::path& folder);

class StoreFaults {
public:
    /// A batch was not kept.
    void failed(const Error& failure, const std::filesystem::path& folder, WallTime now);
    /// A batch was kept, with something written.
    void kept();
    /// This store was opened without being able to write.
    void reads_only(const Error& failure, const std::filesystem::path& folder, WallTime now);

    [[nodiscard]] std::optional<ports::StoreTrouble> trouble() const;

private:
    mutable std::mutex mutex_;  // guards trouble_
    std::optional<ports::StoreTrouble> trouble_ = {};
};

}  // namespace smsrack::db
