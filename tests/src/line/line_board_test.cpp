#include "src/line/line_board.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace smsrack;
using namespace std::chrono_literals;

TEST_CASE("LineBoard: which lines of a group come later, and when") {
    line::LineBoard board;
    const SteadyTime now{1h};
    const auto add = [&](const char* name) { return board.add(name, "/dev/x", "default"); };
    const auto park = [&](ModemId line) { board.gate(line, ports::LineGate::parked, false); };
    board.ready(add("open"));
    const ModemId parked = add("parked");
    board.ready(parked);
    park(parked);
    const ModemId asleep = add("asleep");
    park(asleep);
    board.asleep(asleep, WallTime{} + 1h);
    const ModemId measured = add("asleep, and measured");
    park(measured);
    board.woke(measured, 12s);
    board.asleep(measured, WallTime{} + 1h);
    const ModemId lost = add("parked and lost");
    park(lost);
    board.not_ready(lost, ports::LinkState::pending, "registering", "looking for a network");
    const ModemId spent = add("parked and spent");
    board.ready(spent);
    park(spent);
    board.pause(spent, ports::LinePause{.reason = "quota"});
    const ModemId waking = add("waking");
    board.woke(waking, 12s);
    board.waking(waking, now - 10s);

    const auto lines = board.group_lines("default", now);
    CHECK(lines.able == 1);
    CHECK(lines.total == 7);
    CHECK(lines.parked == std::vector<std::chrono::nanoseconds>{200ms, 12s, 30s});
    CHECK(lines.waking == std::vector<std::chrono::nanoseconds>{2s});
    CHECK(board.open_lines(now) == 2);
    CHECK(board.group_lines("default", now + 20s).waking ==
          std::vector<std::chrono::nanoseconds>{1s});               // late
    CHECK(board.group_lines("default", now + 26s).waking.empty());  // three times as long
}

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
    CHECK(board.group_lines("default", SteadyTime{}).able == 0);
    CHECK_FALSE(board.group_lines("default", SteadyTime{}).until);
    board.stop(other);  // gone for longer than its timer: it is unknown for how long
    CHECK(board.group_lines("default", SteadyTime{}).until == next_month);
    board.not_ready(other, ports::LinkState::pending, "registering", "looking for a network");
    board.gate(other, ports::LineGate::blocked, false);  // a person has it
    CHECK(board.group_lines("default", SteadyTime{}).until == next_month);
}
