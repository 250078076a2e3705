/// Corrections of the clock in this run: what was dated before them is set right.
///
/// The store moves its rows. A message in memory is moved here when it is next decided about.
/// Time:    wall; a correction concerns what it names (ClockMove::concerns).
/// Threads: the dispatch thread.
#pragma once

#include "src/base/clock_move.hpp"
#include "src/base/ids.hpp"
#include "src/sms/message.hpp"

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace smsrack::dispatch {

void move_message(OutMessage& message, const ClockMove& move);

class ClockMoves {
public:
    /// `in_memory`: the messages that were dated before the move. Only while none is pending().
    void begin(const ClockMove& move, const std::unordered_set<MessageId>& in_memory);
    /// The store has moved its rows, or could not.
    void answered(bool moved) { store_ = moved ? Store::moved : Store::refused; }
    /// The store has not moved its rows yet: until then nothing expires and nothing is read.
    [[nodiscard]] bool pending() const { return store_ != Store::moved; }
    /// True once after the store could not: it must be asked for last() again.
    [[nodiscard]] bool take_refused();
    [[nodiscard]] const ClockMove& last() const { return last_; }

    /// A message that was in memory when a move began; a second call changes nothing.
    void set_right(OutMessage& message);
    /// The message has left memory.
    void forget(MessageId message) { to_move_.erase(message); }

private:
    enum class Store : std::uint8_t { moved, asked, refused };

    ClockMove last_ = {};
    /// Of messages in memory, with the moves since they were loaded.
    std::unordered_map<MessageId, std::vector<ClockMove>> to_move_;
    Store store_ = Store::moved;
};

}  // namespace smsrack::dispatch
