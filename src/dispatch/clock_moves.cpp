#include "src/dispatch/clock_moves.hpp"

#include "src/base/check.hpp"

namespace smsrack::dispatch {

void move_message(OutMessage& message, const ClockMove& move) {
    if (move.concerns(message.created_at, message.expires_at) && !message.scheduled) {
        message.created_at += move.by;
        message.expires_at += move.by;
    }
    if (move.concerns(message.queued_at)) {
        message.queued_at += move.by;
    }
}

void ClockMoves::begin(const ClockMove& move, const std::unordered_set<MessageId>& in_memory) {
    SMSRACK_CHECK(!pending());
    last_ = move;
    store_ = Store::asked;
    for (const MessageId message : in_memory) {
        to_move_[message].push_back(move);
    }
}

bool ClockMoves::take_refused() {
    if (store_ != Store::refused) {
        return false;
    }
    store_ = Store::asked;
    return true;
}

void ClockMoves::set_right(OutMessage& message) {
    const auto moves = to_move_.find(message.id);
    if (moves == to_move_.end()) {
        return;
    }
    for (const ClockMove& move : moves->second) {
        move_message(message, move);
    }
    to_move_.erase(moves);
}

}  // namespace smsrack::dispatch
