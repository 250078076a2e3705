#include "src/line/line_board.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace std::chrono_literals;

TEST_CASE(
    "LineBoard: when a group can send again is not told from one line where another may be back "
    "before") {
    line::LineBoard board;
    const ModemId rests = board.add("m0", "/dev/a", "default");
    const ModemId other = board.add("m1", "/dev/b", "default");
    const WallTime next_month = WallTime{} + 20 * 24h;
    board.ready(rests);
    board.pause(rests, ports::LinePause{.reason = "cooling", .until = next_month});

    board.not_ready(other, ports::LinkState::pending, "registering", "looking for a network");
    CHECK(board.group_lines("default").able == 0);
    CHECK_FALSE(board.group_lines("default").until);
    board.stop(other);  // gone for longer than its timer: nobody knows for how long
    CHECK(board.group_lines("default").until == next_month);
    board.not_ready(other, ports::LinkState::pending, "registering", "looking for a network");
    board.gate(other, ports::LineGate::blocked, false);  // a person has it
    CHECK(board.group_lines("default").until == next_month);
}
