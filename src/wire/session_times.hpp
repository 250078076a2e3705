/// Since when a session waits for its client, and until when it waits.
///
/// The session reports what happens, and asks for the deadline that applies to its phase.
/// Time:    steady time, given by the caller; the lengths are in HttpLimits.
/// Threads: loop thread.
#pragma once

#include "src/base/clock.hpp"
#include "src/wire/http_limits.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace smsrack::wire {

class SessionTimes {
public:
    /// `limits` outlives this object.
    SessionTimes(const HttpLimits& limits, SteadyTime now) : limits_(limits), input_since_(now) {}

    /// Octets came, or the session starts to wait for them: it did not read before.
    void input(SteadyTime now) { input_since_ = now; }
    /// The client may send its body from now on.
    void body_began(SteadyTime now) { input_since_ = body_since_ = now; }
    void request_whole(SteadyTime now) { input_since_ = ready_since_ = now; }
    /// There is something new for the client.
    void output(SteadyTime now) { output_since_ = now; }
    /// The client took something. A request that is ready waited for that, not for room.
    void output_taken(SteadyTime now) { output_since_ = ready_since_ = now; }
    /// The last answer is in the output.
    void over(SteadyTime now) { over_since_ = now; }

    [[nodiscard]] SteadyTime idle_end() const { return input_since_ + limits_.idle_time; }
    [[nodiscard]] SteadyTime head_end() const { return input_since_ + limits_.head_time; }
    /// Of the longest pause in a body.
    [[nodiscard]] SteadyTime pause_end() const { return input_since_ + limits_.body_time; }
    /// Of a body that is gathered, `octets` of which have come: they earn it time.
    [[nodiscard]] SteadyTime body_end(std::size_t octets) const {
        const std::chrono::milliseconds earned(octets * 1000 / limits_.body_rate_min);
        return std::min(pause_end(), body_since_ + limits_.body_grace + earned);
    }
    /// Of the wait for room.
    [[nodiscard]] SteadyTime room_end() const { return ready_since_ + limits_.room_time; }
    [[nodiscard]] SteadyTime write_end() const { return output_since_ + limits_.write_time; }
    [[nodiscard]] SteadyTime filler_due(std::chrono::seconds every) const {
        return output_since_ + every;
    }
    [[nodiscard]] SteadyTime discard_end() const { return over_since_ + limits_.discard_time; }

private:
    const HttpLimits& limits_;
    SteadyTime input_since_;  // begin of the idle time, of the head, or of the pause in a body
    SteadyTime body_since_ = input_since_;   // begin of a body that is gathered
    SteadyTime ready_since_ = input_since_;  // a whole request waits for nothing but room
    SteadyTime output_since_ = input_since_;
    SteadyTime over_since_ = input_since_;
};

}  // namespace smsrack::wire
