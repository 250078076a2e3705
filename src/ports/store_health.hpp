/// Whether the store can write now. db/sqlite_store implements it.
///
/// Threads: any.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/interface.hpp"
#include "src/base/result.hpp"

#include <cstdint>
#include <optional>

namespace smsrack::ports {

enum class StoreFault : std::uint8_t {
    full,     ///< no room on the disk
    failing,  ///< the disk refuses a write for another reason: broken, read-only, a quota
    locked,   ///< another process holds the database's lock
};

struct StoreTrouble {
    StoreFault fault = StoreFault::failing;
    WallTime since = {};  ///< of the first write that failed
    Error why = {};       ///< of the last one; names the holders of a lock
    /// since the start: it could not write then, so nothing is sent until it can
    bool reads_only = false;
};

class StoreHealth : public Interface {
public:
    /// nullopt: the last write was kept.
    [[nodiscard]] virtual std::optional<StoreTrouble> trouble() const = 0;

    /// Writes something small, so that an idle service notices a disk that no longer takes writes, and one that does again. Also closes
    /// reading connections that have been idle. Returns at once; does nothing while an earlier one is still under way.
    virtual void look_after() = 0;
};

}  // namespace smsrack::ports
