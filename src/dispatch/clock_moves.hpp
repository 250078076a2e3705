/// Corrections of the clock in this run: what was dated before them is set right.
///
/// The store moves its rows. What is in memory meanwhile is moved here: a message when it is next
/// decided about, an end or a time when it is written again.
/// Time:    wall; a correction concerns what it names (ClockMove::concerns).
/// Threads: the dispatch thread.
#pragma once

#include "src/base/clock_move.hpp"
#include "src/base/ids.hpp"
#include "src/ports/store.hpp"
#include "src/sms/message.hpp"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace smsrack::dispatch {

void move_message(OutMessage& message, const ClockMove& move);
void move_end(ports::EndAttempt& end, const ClockMove& move);

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
    [[nodiscard]] const ClockMove& last() const { return moves_.back(); }

    /// Number of moves so far; what is written now is dated after these.
    [[nodiscard]] std::size_t count() const { return moves_.size(); }
    /// What was asked for when there were `seen` moves.
    void set_right(ports::EndAttempt& end, std::size_t seen) const;
    void set_right(WallTime& due, std::size_t seen) const;

    /// A message that was in memory when a move began; a second call changes nothing.
    void set_right(OutMessage& message);
    /// The message has left memory.
    void forget(MessageId message) { to_move_.erase(message); }

private:
    enum class Store : std::uint8_t { moved, asked, refused };

    std::vector<ClockMove> moves_;
    /// Of messages in memory, with the moves since they were loaded.
    std::unordered_map<MessageId, std::vector<ClockMove>> to_move_;
    Store store_ = Store::moved;
};

}  // namespace smsrack::dispatch
