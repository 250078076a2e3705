/// Writes that a full disk refused, until they are made again.
///
/// In the store these messages are still in flight, so no question of the dispatcher finds them.
/// Time:    steady for the pause, wall in what is written. All the caller's.
/// Threads: the dispatch thread.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/clock_move.hpp"
#include "src/dispatch/clock_moves.hpp"
#include "src/dispatch/dispatch_mail.hpp"
#include "src/dispatch/dispatch_store.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>
#include <vector>

namespace smsrack::dispatch {

class RefusedWrites {
public:
    static constexpr std::chrono::seconds pause = storage_pause;

    struct Writes {
        /// Each decision about an attempt once: one for each line, since no attempt begins
        /// meanwhile, and those about doubts (DispatchStore::doubts_limit at a time).
        std::vector<ports::EndAttempt> ends;
        std::vector<MessageId> drops;
        std::vector<NotPutOff> put_offs;
    };

    /// A sweep may have decided the same again before the first decision was written.
    void add(ports::EndAttempt end, SteadyTime now) {
        const bool is_here = std::ranges::any_of(writes_.ends, [&](const ports::EndAttempt& one) {
            return one.attempt == end.attempt && one.event == end.event;
        });
        if (!is_here) {
            writes_.ends.push_back(std::move(end));
        }
        next_ = now + pause;
    }
    void add(MessageId dropped, SteadyTime now) {
        writes_.drops.push_back(dropped);
        next_ = now + pause;
    }
    void add(const NotPutOff& message, SteadyTime now) {
        writes_.put_offs.push_back(message);
        next_ = now + pause;
    }

    /// For the store a segment of this message is still in flight.
    [[nodiscard]] bool has_end_of(MessageId message) const {
        return std::ranges::find(writes_.ends, message, &ports::EndAttempt::message) !=
               writes_.ends.end();
    }
    /// The clock was set.
    void move_times(const ClockMove& move);

    /// nullopt: the pause is not over, or there are none.
    [[nodiscard]] std::optional<Writes> take(SteadyTime now) {
        if (now < next_) {
            return std::nullopt;
        }
        next_ = never;
        return std::exchange(writes_, {});
    }
    [[nodiscard]] SteadyTime deadline() const { return next_; }

private:
    Writes writes_;
    SteadyTime next_ = never;
};

inline void RefusedWrites::move_times(const ClockMove& move) {
    for (ports::EndAttempt& end : writes_.ends) {
        move_end(end, move);
    }
    for (NotPutOff& message : writes_.put_offs) {
        message.until += move.by;
    }
}

}  // namespace smsrack::dispatch
