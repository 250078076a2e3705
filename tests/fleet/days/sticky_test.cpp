// A recipient hears from the SIM that it knows, whichever box has it.
#include "tests/fleet/days/few_boxes.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

constexpr auto wait_for_box = 60s;

/// Each box has a SIM of its own.
struct Rig : test::FewBoxes {
    Rig() : FewBoxes(2, {.sticky_wait = wait_for_box}) {
        box(0).insert("8933", 100);
        box(1).insert("8944", 100);
        run_for(10s);
    }

    MessageId submit(std::size_t at, const std::string& to) {
        const auto id = box(at).submit({.to = to,
                                        .text = std::to_string(++texts_),
                                        .life = std::chrono::hours(1),
                                        .sticky = true});
        REQUIRE(id);
        return *id;
    }
    bool is_sent(std::size_t at, MessageId id) {
        return box(at).row(id)->state == MessageState::sent;
    }
    /// The number of the box that sent it, as the one at `at` knows; 0: itself.
    int sent_from(std::size_t at, MessageId id) {
        REQUIRE(is_sent(at, id));
        const auto place = box(at).place_of(id);
        return place->is_begun ? 0 : place->box.value;
    }

private:
    int texts_ = 0;
};

}  // namespace

TEST_CASE("fleet: a recipient that knows the SIM of another box is written to by that box") {
    Rig rig;
    const auto first = rig.submit(1, "+33612345678");
    rig.run_for(5s);
    CHECK(rig.sent_from(1, first) == 0);  // its box sends at once, as no SIM is known
    const auto other = rig.submit(0, "+33687654321");
    rig.run_for(10s);
    CHECK(rig.sent_from(0, other) == 0);
    const auto again = rig.submit(0, "+33612345678");
    rig.run_for(10s);
    CHECK(rig.sent_from(0, again) == 2);
    const auto third = rig.submit(1, "+33687654321");
    rig.run_for(10s);
    CHECK(rig.sent_from(1, third) == 1);
}

TEST_CASE("fleet: where the box with the recipient's SIM is silent for long, another one sends") {
    Rig rig;
    (void)rig.submit(1, "+33612345678");
    rig.run_for(5s);
    rig.box(1).kill({});
    const auto id = rig.submit(0, "+33612345678");
    rig.run_for(wait_for_box - 10s);
    CHECK_FALSE(rig.is_sent(0, id));
    rig.run_for(25s);
    CHECK(rig.sent_from(0, id) == 0);
}

TEST_CASE("fleet: after a start a recipient's messages wait for the modem with its SIM") {
    Rig rig;
    (void)rig.submit(1, "+33612345678");
    rig.run_for(5s);
    rig.box(1).kill({});
    rig.box(1).take_out();
    rig.box(1).start();
    rig.run_for(10s);  // its modem has not spoken yet, and another one has
    rig.box(1).follow_sim(ModemId{7}, "8955", [](const ports::SimShare&) {});
    rig.run_for(10s);
    const auto id = rig.submit(0, "+33612345678");
    rig.run_for(20s);
    CHECK_FALSE(rig.is_sent(0, id));
    rig.box(1).insert("8944", 100);
    rig.run_for(10s);
    CHECK(rig.sent_from(0, id) == 2);
}

TEST_CASE("fleet: a modem that does not speak for minutes after a start has no SIM") {
    Rig rig;
    (void)rig.submit(1, "+33612345678");
    rig.run_for(5s);
    rig.box(1).kill({});
    rig.box(1).take_out();
    rig.box(1).start();
    rig.run_for(cluster::modems_speak_within + 10s);
    const auto id = rig.submit(0, "+33612345678");
    rig.run_for(15s);
    CHECK(rig.sent_from(0, id) == 0);
}

TEST_CASE("fleet: the SIM that a recipient knows is moved, and the box that has it now sends") {
    Rig rig;
    (void)rig.submit(1, "+33612345678");
    rig.run_for(5s);
    rig.box(1).take_out();
    rig.box(0).take_out();
    rig.run_for(5s);
    rig.box(0).insert("8944", 100);
    rig.box(1).insert("8933", 100);
    rig.run_for(10s);
    const auto id = rig.submit(1, "+33612345678");
    rig.run_for(10s);
    CHECK(rig.sent_from(1, id) == 1);
}
