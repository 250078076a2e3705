/// The clock as an interface that is passed by reference, so that a day of a rack runs in seconds
/// in a test.
///
/// Unit:    SteadyTime for waiting and deadlines; WallTime (UTC, milliseconds) for what is stored
///          and shown.
/// Threads: any.
#pragma once

#include <chrono>

namespace smsrack {

using SteadyTime = std::chrono::steady_clock::time_point;
using WallTime = std::chrono::sys_time<std::chrono::milliseconds>;

/// The deadline of a thread that waits only for work.
inline constexpr SteadyTime never = SteadyTime::max();

class Clock {
public:
    Clock() = default;
    Clock(const Clock&) = delete;
    Clock& operator=(const Clock&) = delete;
    virtual ~Clock() = default;

    [[nodiscard]] virtual SteadyTime steady() const = 0;
    [[nodiscard]] virtual WallTime wall() const = 0;

    /// Time since the boot, that of a suspend included (CLOCK_BOOTTIME). steady() stops during a
    /// suspend (CLOCK_MONOTONIC), as it must: no modem answers meanwhile, so no deadline of one
    /// comes nearer.
    [[nodiscard]] virtual std::chrono::nanoseconds since_boot() const {
        return steady().time_since_epoch();
    }
    /// wall(), or the machine's clock if that was set forward and the change has not been examined
    /// yet.
    [[nodiscard]] virtual WallTime latest_wall() const { return wall(); }
};

}  // namespace smsrack
