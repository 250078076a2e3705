/// Steps one object on the loop when its deadline has come. One that is not needed any more still
/// steps it once, for nothing.
///
/// Threads: the loop thread.
#pragma once

#include "firmware-host/net/loop.hpp"
#include "src/base/clock.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>

namespace smsrack::host {

class LoopTimer {
public:
    /// `step` gives the next deadline; never: none. All outlive the object.
    LoopTimer(net::Loop& loop, const Clock& clock, std::function<SteadyTime()> step)
        : loop_(loop), clock_(clock), step_(std::move(step)) {}

    /// The next step comes at this time at the latest.
    void by(SteadyTime deadline) {
        if (deadline == never || (watch_ && at_ <= deadline)) {
            return;
        }
        at_ = deadline;
        const auto wait = std::max(SteadyTime::duration::zero(), deadline - clock_.steady());
        watch_ = loop_.after(std::chrono::ceil<std::chrono::milliseconds>(wait), [this] {
            const net::LoopWatchPtr over = std::move(watch_);  // step_() may set it again
            by(step_());
        });
    }
    void stop() { watch_.reset(); }

private:
    net::Loop& loop_;
    const Clock& clock_;
    const std::function<SteadyTime()> step_;
    net::LoopWatchPtr watch_ = {};
    SteadyTime at_ = {};
};

}  // namespace smsrack::host
