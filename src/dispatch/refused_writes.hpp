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

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>
#include <vector>

namespace smsrack::dispatch {

class RefusedWrites {
public:
    /// Before the store is asked again.
    static constexpr std::chrono::seconds pause{1};

    struct Writes {
        std::vector<ports::EndAttempt> ends;  ///< at most one a line: no attempt begins meanwhile
        std::vector<MessageId> drops;
        std::vector<NotPutOff> put_offs;
    };

    void add(ports::EndAttempt end, SteadyTime now) {
        writes_.ends.push_back(std::move(end));
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
