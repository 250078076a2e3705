#include "tests/src/dispatch/desk_rig.hpp"
#include "tests/support/mute_reader.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace std::chrono_literals;
using test::DeskRig;

namespace {

/// The store's readers, with one message of each level.
struct OneEach final : test::MuteReader {
    explicit OneEach(const DeskRig& made_by) : rig(made_by) {}
    Result<std::vector<OutMessage>> queued(GroupId, Level level, EventSeq, std::size_t) override {
        OutMessage message = rig.message(1 + level, level);
        message.attempts = 0;
        return std::vector{message};
    }
    const DeskRig& rig;
};

}  // namespace

TEST_CASE("Desk: what each level has room for is asked for, and waits in its level") {
    DeskRig rig;
    rig.desk.refill(0);
    REQUIRE(rig.store.reads.size() == level_count);
    OneEach reader(rig);
    for (auto& job : std::exchange(rig.store.reads, {})) {
        job(&reader);
    }
    rig.deliver();
    for (Level level = 0; level < level_count; ++level) {
        CHECK(rig.desk.groups[0].waiting.size(level) == 1);
    }
    CHECK(rig.slots.free() == rig.slots.size() - level_count);
    rig.desk.refill(0);
    CHECK(rig.store.reads.empty());  // fewer came than were asked for
}

TEST_CASE("Desk: a level that the store could not read holds its group for a moment") {
    DeskRig rig;
    rig.desk.refill(0);
    for (auto& job : std::exchange(rig.store.reads, {})) {
        job(fail(Errc::storage, "disk I/O error"));
    }
    rig.deliver();
    CHECK(rig.desk.groups[0].held_until == rig.now() + dispatch::storage_pause);
}

TEST_CASE("Desk: a message is in memory once, and one of an unknown group is not") {
    DeskRig rig;
    OutMessage unknown = rig.message(2);
    unknown.group = GroupId{9};
    rig.due({rig.message(1), rig.message(1), unknown});
    CHECK(rig.slots.free() == rig.slots.size() - 1);
}

TEST_CASE("Desk: a message that has begun waits for its SIM, and in a pause too") {
    DeskRig rig;
    rig.desk.holds.set_pauses(std::vector<ports::Pause>{{.scope = ports::PauseScope::rack}},
                              rig.clock.wall());
    rig.due({rig.begun(1, SimId{9})});
    CHECK(rig.desk.begun.keeps(SimId{9}));
}

TEST_CASE("Desk: what is due and has no place waits for one") {
    DeskRig rig(1);
    rig.due({rig.message(1), rig.message(2)});
    CHECK(rig.desk.due.has_kept());
    rig.desk.load_kept(rig.now());
    CHECK(rig.desk.due.has_kept());
    const auto turn = rig.desk.groups[0].waiting.next(rig.clock.wall());
    REQUIRE(turn);
    rig.desk.release(rig.desk.groups[0].waiting.take(*turn));
    rig.desk.load_kept(rig.now());
    CHECK_FALSE(rig.desk.due.has_kept());
    CHECK(rig.slots.free() == 0);
}

TEST_CASE("Desk: a message whose time is over keeps its place until the store has ended it") {
    DeskRig rig;
    const auto slot = rig.adopt(rig.message(1));
    CHECK_FALSE(rig.desk.ends_here(slot));
    rig.clock.advance(25h);
    CHECK(rig.desk.ends_here(slot));
    CHECK(rig.slots.free() == rig.slots.size() - 1);
    const auto finished = rig.store.answer<ports::FinishMessage>(MessageState::expired);
    CHECK(finished.message == MessageId{1});
    CHECK(finished.event == MessageEvent::too_late);
    rig.deliver();
    CHECK(rig.slots.free() == rig.slots.size());
}

TEST_CASE(
    "Desk: between two attempts a message in a pause is put off, and the store says until when") {
    DeskRig rig;
    rig.desk.holds.set_pauses(std::vector<ports::Pause>{{.scope = ports::PauseScope::rack}},
                              rig.clock.wall());
    rig.due({rig.message(1)});
    REQUIRE(rig.control.posted<ports::PutOff>().size() == 1);
    CHECK(rig.slots.free() == rig.slots.size());
    SUBCASE("until a time") {
        rig.control.answer<ports::PutOff>(rig.clock.wall() + 1h);
        rig.deliver();
        CHECK(rig.count<dispatch::DueHint>() == 1);
    }
    SUBCASE("until its pause ends") {
        rig.control.answer<ports::PutOff>(std::nullopt);
        rig.deliver();
        CHECK(rig.count<dispatch::DueHint>() == 0);
    }
}

TEST_CASE("Desk: what no SIM takes before a time waits in the store") {
    DeskRig rig;
    const WallTime later = rig.clock.wall() + 1h;
    (void)rig.desk.due.messages.ask(rig.clock.wall());
    (void)rig.desk.due.messages.answered();
    SUBCASE("all of it is due again, if it was tried") {
        rig.desk.set_aside(rig.adopt(rig.message(1)), later);
        CHECK(rig.store.answer<ports::RestartMessage>({}).due_at == later);
        CHECK(rig.desk.due.messages.next() == later);
    }
    SUBCASE("else its queue is read again then") {
        OutMessage untried = rig.message(1);
        untried.attempts = 0;
        rig.desk.set_aside(rig.adopt(untried), later);
        CHECK(rig.store.posted<ports::RestartMessage>().empty());
    }
    CHECK(rig.slots.free() == rig.slots.size());
}

TEST_CASE("Desk: what waits is neither older nor younger when the clock was set") {
    DeskRig rig;
    rig.due({rig.message(1)});
    const WallTime queued = rig.clock.wall();
    const ClockMove move{.after = queued - 1h, .until = queued + 1h, .by = 3h};
    rig.desk.moves.begin(move, rig.desk.window.in_memory());
    rig.desk.move_times(move, rig.now());
    const auto turn = rig.desk.groups[0].waiting.next(rig.clock.wall());
    REQUIRE(turn);
    CHECK(turn->since == queued + 3h);
    const auto slot = rig.desk.groups[0].waiting.take(*turn);
    CHECK_FALSE(rig.desk.ends_here(slot));
    CHECK(rig.desk[slot].message.expires_at == queued + 27h);
}

namespace {

struct NoMessages final : test::MuteReader {
    Result<std::vector<OutMessage>> queued(GroupId, Level, EventSeq, std::size_t) override {
        return std::vector<OutMessage>();
    }
};

/// All that the store has was read.
void read_all(DeskRig& rig) {
    rig.desk.refill(0);
    for (auto& job : std::exchange(rig.store.reads, {})) {
        NoMessages none;
        job(&none);
    }
    rig.deliver();
}

OutMessage new_message(const DeskRig& rig, std::int64_t id) {
    OutMessage message = rig.message(id);
    message.attempts = 0;
    return message;
}

}  // namespace

TEST_CASE("Desk: a message that is about to be queued is taken where nothing goes before it") {
    DeskRig rig;
    rig.desk.about_to_queue(new_message(rig, 1), rig.now());
    CHECK(rig.slots.free() == rig.slots.size());  // the store was not read yet
    read_all(rig);
    CHECK(rig.desk.is_empty(0));
    rig.desk.about_to_queue(new_message(rig, 2), rig.now());
    CHECK(rig.desk.groups[0].waiting.size(3) == 1);
    CHECK_FALSE(rig.desk.is_empty(0));
    rig.desk.about_to_queue(new_message(rig, 3), rig.now());
    CHECK(rig.desk.groups[0].waiting.size(3) == 1);
}

TEST_CASE("Desk: what must wait is not taken before it is queued") {
    DeskRig rig;
    read_all(rig);
    SUBCASE("in a pause") {
        rig.desk.holds.set_pauses(std::vector<ports::Pause>{{.scope = ports::PauseScope::rack}},
                                  rig.clock.wall());
    }
    SUBCASE("while the store has more") {
        rig.desk.window.news(0, 6);
    }
    SUBCASE("while the clock is moved") {
        rig.desk.moves.begin({.by = 1h}, {});
    }
    SUBCASE("behind a long message that has begun") {
        rig.due({rig.begun(7, SimId{9})});
    }
    const std::size_t free = rig.slots.free();
    rig.desk.about_to_queue(new_message(rig, 1), rig.now());
    CHECK(rig.slots.free() == free);
    CHECK(rig.desk.groups[0].waiting.size(3) == 0);
}
