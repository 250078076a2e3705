/// What one thread shows to others: the pauses that hold now, and what the scaling controller last
/// said of itself.
///
/// Threads: any; a copy under a short lock.
#pragma once

#include "src/ports/pause.hpp"
#include "src/ports/rack_view.hpp"

#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

namespace smsrack::dispatch {

template <typename T>
class Board {
public:
    void show(T what) {
        const std::lock_guard lock(mutex_);
        shown_ = std::move(what);
    }
    [[nodiscard]] T shown() const {
        const std::lock_guard lock(mutex_);
        return shown_;
    }

private:
    mutable std::mutex mutex_;  // guards shown_
    T shown_ = {};
};

using PauseBoard = Board<std::vector<ports::Pause>>;  // bound: groups and batches in the store
using ScalingBoard = Board<ports::ScalingView>;

/// The rack or this group is paused, or this batch in it.
[[nodiscard]] inline bool is_paused(const PauseBoard& pauses, std::string_view group,
                                    std::string_view batch = {}) {
    return ports::pause_of(pauses.shown(), group, batch) != nullptr;
}

}  // namespace smsrack::dispatch
