#include "src/dispatch/giving.hpp"

#include "tests/src/dispatch/desk_rig.hpp"
#include "tests/support/mute_reader.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

/// The store's readers, where nothing waits.
struct NothingWaits final : test::MuteReader {
    Result<std::vector<OutMessage>> queued(GroupId, Level, EventSeq, std::size_t) override {
        return std::vector<OutMessage>{};
    }
};

struct GivingRig : test::DeskRig {
    struct Given {
        ModemId line;
        MessageId message;
    };
    std::vector<Given> given;
    dispatch::Giving giving{
        {}, world, desk, lines, mailbox, [this](ModemId line, queue::SlotNumber slot) {
            given.push_back({line, desk[slot].message.id});
        }};

    /// A turn, and what store and codec answer.
    void turn(bool stopping = false) {
        giving.give_all(now(), stopping);
        NothingWaits nothing;
        for (auto& job : std::exchange(store.reads, {})) {
            job(&nothing);
        }
        pool.run_all();
        deliver();
        for (const auto& one : std::exchange(mail, {})) {
            if (const auto* encoded = std::get_if<dispatch::Encoded>(&one)) {
                giving.encoded(*encoded);
            }
        }
    }
    /// The store has nothing that goes first, and what waits is encoded.
    void turns_until_encoded() {
        turn();
        turn();
    }
};

}  // namespace

TEST_CASE("Giving: a message is encoded, and the first one by level goes to a free line") {
    GivingRig rig;
    const ModemId line = rig.line(SimId{5});
    rig.due({rig.message(1, 2), rig.message(2, 6)});
    rig.turns_until_encoded();
    CHECK(rig.given.empty());
    rig.turn();
    REQUIRE(rig.given.size() == 1);
    CHECK(rig.given[0].line == line);
    CHECK(rig.given[0].message == MessageId{2});
    rig.turn();
    CHECK(rig.given.size() == 1);  // it is busy
}

TEST_CASE("Giving: a begun message goes out with its SIM, also where another group has it now") {
    GivingRig rig;
    rig.desk.add_group(GroupId{2}, "other", 1);
    rig.lines.add_group();
    (void)rig.line(SimId{5});
    const ModemId of_sim = rig.line(SimId{9}, 1);
    rig.due({rig.begun(1, SimId{9}), rig.begun(2, SimId{8}), rig.begun(3, SimId{9})});
    rig.turn();
    REQUIRE(rig.given.size() == 1);
    CHECK(rig.given[0].line == of_sim);
    CHECK(rig.given[0].message == MessageId{3});  // that began to wait first
    CHECK(rig.desk.begun.keeps(SimId{9}));        // the other one waits for it
    CHECK(rig.desk.begun.keeps(SimId{8}));
}

TEST_CASE("Giving: nothing is given while the store refuses, nor when the service ends") {
    GivingRig rig;
    (void)rig.line(SimId{5});
    (void)rig.line(SimId{9});
    rig.due({rig.message(1), rig.begun(2, SimId{9})});
    rig.desk.groups[0].held_until = rig.now() + dispatch::storage_pause;
    rig.turns_until_encoded();
    rig.turn();
    CHECK(rig.given.empty());
    rig.clock.advance(dispatch::storage_pause);
    rig.turn(true);
    CHECK(rig.given.empty());
    rig.turn();
    CHECK(rig.given.size() == 2);
}

TEST_CASE("Giving: in a pause what waits goes back to the store, and what has begun continues") {
    GivingRig rig;
    (void)rig.line(SimId{9});
    rig.due({rig.message(1), rig.begun(2, SimId{9})});
    rig.desk.holds.set_pauses(std::vector<ports::Pause>{{.scope = ports::PauseScope::rack}},
                              rig.clock.wall());
    rig.turn();
    REQUIRE(rig.given.size() == 1);
    CHECK(rig.given[0].message == MessageId{2});
    CHECK(rig.control.posted<ports::PutOff>().size() == 1);
}

TEST_CASE("Giving: a message that has expired in the queue is ended, and not given") {
    GivingRig rig;
    (void)rig.line(SimId{5});
    rig.due({rig.message(1)});
    rig.turns_until_encoded();
    rig.clock.advance(25h);
    rig.turn();
    CHECK(rig.given.empty());
    CHECK(rig.store.posted<ports::FinishMessage>().size() == 1);
}

TEST_CASE("Giving: a message that can't be encoded is given up") {
    GivingRig rig;
    (void)rig.line(SimId{5});
    OutMessage wrong = rig.message(1);
    wrong.body.text = std::string(50'000, 'x');
    rig.due({wrong});
    rig.turns_until_encoded();
    REQUIRE(rig.store.posted<ports::FinishMessage>().size() == 1);
    CHECK(rig.store.posted<ports::FinishMessage>()[0].command.event == MessageEvent::give_up);
    CHECK(rig.log.count("message_unencodable") == 1);
}

TEST_CASE("Giving: work that is ready next to a line that may take it is starving") {
    GivingRig rig;
    const ModemId line = rig.line(SimId{5});
    rig.giving.give_all(rig.now(), false);
    CHECK(rig.giving.starves(rig.now()));  // the store was asked for more, and does not answer
    rig.lines.give(line);
    CHECK_FALSE(rig.giving.starves(rig.now()));
}
