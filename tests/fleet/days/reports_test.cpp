// A status report that comes to another box than the one that sent the message: its SIM has moved.
#include "tests/fleet/days/few_boxes.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

constexpr const char* ann = "+33612345678";

/// One box has sent a message by a SIM that is in another one now.
struct Moved : test::FewBoxes {
    explicit Moved(std::size_t accepts = 0) : FewBoxes(3), accepts_(accepts) {
        box(0).insert("8933", 100);
        run_for(40s);
        if (accepts != 0) {
            drain(accepts);
        }
        id = box(accepts).submit({.to = ann, .text = "hello", .life = 24h, .report = true}).value();
        run_for(30s);
        REQUIRE(box(accepts).row(id)->state == MessageState::sent);
        box(0).take_out();
        run_for(1min);
        box(1).insert("8933", 100);
        run_for(1min);
    }
    /// So another box sends what it accepts.
    void drain(std::size_t place) {
        for (std::size_t i = 1; i < 3; ++i) {
            const std::string name = "box" + std::to_string(i + 1);
            engine.link(place).post(ports::SetLife{.seat = *box(place).desk().seat().seat(),
                                                   .name = name,
                                                   .life = ports::BoxLife::draining},
                                    {});
        }
        run_for(5s);
    }
    MessageState state() { return box(accepts_).row(id)->state; }

    MessageId id = {};

private:
    std::size_t accepts_;
};

}  // namespace

TEST_CASE("fleet: a status report finds its message at the box that sent it, within 10 s") {
    Moved fleet;
    fleet.box(1).hear_report(ann);
    CHECK(fleet.state() == MessageState::sent);
    fleet.run_for(10s);
    CHECK(fleet.state() == MessageState::delivered);
}

TEST_CASE("fleet: the box that accepted a message learns of a report to a third box") {
    Moved fleet(2);
    fleet.box(1).hear_report(ann);
    fleet.run_for(15s);
    CHECK(fleet.state() == MessageState::delivered);
}

TEST_CASE("fleet: a status report waits for its box, and for the engine") {
    Moved fleet;
    SUBCASE("the box is off") {
        fleet.box(0).kill({});
        fleet.box(1).hear_report(ann);
        fleet.run_for(2min);
        fleet.box(0).start();
    }
    SUBCASE("the engine is away, and the box that got it is killed meanwhile") {
        fleet.engine.stall(1min);
        fleet.box(1).hear_report(ann);
        fleet.run_for(10s);
        fleet.box(1).kill({});
        fleet.box(1).start();
    }
    fleet.run_for(2min);
    CHECK(fleet.state() == MessageState::delivered);
}

TEST_CASE("fleet: a report that speaks of no message stays where it came, and goes out once") {
    Moved fleet;
    const auto before = fleet.engine.state().mails();
    fleet.box(1).hear_report("+33700000000");
    fleet.run_for(5min);
    CHECK(fleet.engine.state().mails() == before + 2);
    CHECK(fleet.box(1).strays() == 1);
    CHECK(fleet.box(0).strays() == 0);
    CHECK(fleet.box(2).strays() == 0);
    CHECK(fleet.state() == MessageState::sent);
    fleet.box(1).hear_report(ann);
    fleet.box(1).hear_report(ann);  // the centre sends it twice
    fleet.run_for(15s);
    CHECK(fleet.state() == MessageState::delivered);
}
