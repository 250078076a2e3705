/// What the scaling controller last said of itself: for `status` and `scaling`.
///
/// Threads: any; a copy under a short lock.
#pragma once

#include "src/ports/rack_view.hpp"

#include <mutex>
#include <utility>

namespace smsrack::dispatch {

class ScalingBoard {
public:
    void show(ports::ScalingView view) {
        const std::lock_guard lock(mutex_);
        view_ = std::move(view);
    }
    [[nodiscard]] ports::ScalingView view() const {
        const std::lock_guard lock(mutex_);
        return view_;
    }

private:
    mutable std::mutex mutex_;  // guards what follows
    ports::ScalingView view_ = {};
};

}  // namespace smsrack::dispatch
