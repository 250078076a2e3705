#include "src/dispatch/clock_moves.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

constexpr WallTime noon = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1} + 12h;
/// The clock went wrong by an hour since noon.
constexpr ClockMove back{.after = noon, .until = noon + 2h, .by = -1h};

OutMessage message_of(std::int64_t id, WallTime created_at) {
    OutMessage message;
    message.id = MessageId{id};
    message.created_at = created_at;
    message.queued_at = created_at;
    message.expires_at = created_at + 24h;
    return message;
}

}  // namespace

TEST_CASE("ClockMoves: what was dated by the wrong clock moves, with its end") {
    OutMessage message = message_of(1, noon + 30min);
    dispatch::move_message(message, back);
    CHECK(message.created_at == noon - 30min);
    CHECK(message.queued_at == noon - 30min);
    CHECK(message.expires_at == noon - 30min + 24h);

    OutMessage before = message_of(2, noon - 1min);
    dispatch::move_message(before, back);
    CHECK(before.created_at == noon - 1min);

    OutMessage scheduled = message_of(3, noon + 30min);
    scheduled.scheduled = true;  // its client named the time
    dispatch::move_message(scheduled, back);
    CHECK(scheduled.created_at == noon + 30min);
    CHECK(scheduled.expires_at == noon + 30min + 24h);
}

TEST_CASE("ClockMoves: a message that was in memory is set right once") {
    dispatch::ClockMoves moves;
    moves.begin(back, {MessageId{1}});
    OutMessage was_here = message_of(1, noon + 30min);
    OutMessage came_later = message_of(2, noon + 30min);
    moves.set_right(came_later);
    CHECK(came_later.created_at == noon + 30min);
    moves.set_right(was_here);
    CHECK(was_here.created_at == noon - 30min);
    was_here.created_at = noon + 30min;
    moves.set_right(was_here);
    CHECK(was_here.created_at == noon + 30min);
}

TEST_CASE("ClockMoves: a message that has left memory is another one when it comes back") {
    dispatch::ClockMoves moves;
    moves.begin(back, {MessageId{1}});
    moves.forget(MessageId{1});
    OutMessage message = message_of(1, noon + 30min);
    moves.set_right(message);
    CHECK(message.created_at == noon + 30min);
}

TEST_CASE(
    "ClockMoves: a move is pending until the store has made it, and is asked for again once") {
    dispatch::ClockMoves moves;
    CHECK_FALSE(moves.pending());
    moves.begin(back, {});
    CHECK(moves.pending());
    CHECK_FALSE(moves.take_refused());
    moves.answered(false);
    CHECK(moves.pending());
    CHECK(moves.take_refused());
    CHECK_FALSE(moves.take_refused());
    moves.answered(true);
    CHECK_FALSE(moves.pending());
    CHECK(moves.last().by == -1h);
}
