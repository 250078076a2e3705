/// The pauses that hold now, for the reports that show them.
///
/// Threads: any; a short lock.
#pragma once

#include "src/ports/pause.hpp"

#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

namespace smsrack::dispatch {

class PauseBoard {
public:
    void set(std::vector<ports::Pause> pauses) {
        const std::lock_guard lock(mutex_);
        pauses_ = std::move(pauses);
    }
    [[nodiscard]] std::vector<ports::Pause> all() const {
        const std::lock_guard lock(mutex_);
        return pauses_;
    }
    /// The rack or this group is paused.
    [[nodiscard]] bool holds(std::string_view group) const {
        const std::lock_guard lock(mutex_);
        return ports::pause_of(pauses_, group, {}) != nullptr;
    }

private:
    mutable std::mutex mutex_;               // guards pauses_
    std::vector<ports::Pause> pauses_ = {};  // bound: groups and batches in the store
};

}  // namespace smsrack::dispatch
