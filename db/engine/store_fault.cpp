#include "db/engine/store_fault.hpp"

#include "db/engine/connection.hpp"
#include "db/engine/disk_room.hpp"

namespace smsrack::db {

ports::StoreFault fault_of(const Error& failure, const std::filesystem::path& folder) {
    if (is_locked(failure)) {
        return ports::StoreFault::locked;
    }
    if (disk_is_full(failure)) {
        return ports::StoreFault::full;
    }
    const auto room = disk_room(folder);
    const bool full = has_no_room(failure) && room && room->free < room_tried;
    return full ? ports::StoreFault::full : ports::StoreFault::failing;
}

void StoreFaults::failed(const Error& failure, const std::filesystem::path& folder, WallTime now) {
    const ports::StoreFault fault = fault_of(failure, folder);
    const std::lock_guard lock(mutex_);
    if (trouble_ && trouble_->reads_only) {
        return;
    }
    if (!trouble_ || trouble_->fault != fault) {
        trouble_ = ports::StoreTrouble{.fault = fault, .since = now};
    }
    trouble_->why = failure;
}

void StoreFaults::kept() {
    const std::lock_guard lock(mutex_);
    trouble_.reset();
}

void StoreFaults::reads_only(const Error& failure, const std::filesystem::path& folder,
                             WallTime now) {
    failed(failure, folder, now);
    const std::lock_guard lock(mutex_);
    trouble_->reads_only = true;
}

std::optional<ports::StoreTrouble> StoreFaults::trouble() const {
    const std::lock_guard lock(mutex_);
    return trouble_;
}

}  // namespace smsrack::db
