// What a line does about its SIM, its radio link and its troubles, with the whole rack around it.
#include "tests/sim/world.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

void inject(test::World& world, sim::Fault fault) {
    world.modems.modem(0).inject(world.clock.steady(), fault);
}

std::string notes_of(const ports::AttemptRow& attempt, ports::NoteKind kind) {
    std::string all;
    for (const ports::AttemptNote& note : attempt.notes) {
        all += note.kind == kind ? note.text : "";
    }
    return all;
}

}  // namespace

TEST_CASE("rack: an attempt that went wrong is kept with the dialogue, one that went well is not") {
    test::World world({.modems = 1});
    REQUIRE(world.run_until_ready());
    inject(world, {.kind = sim::FaultKind::cms_error, .code = 42});
    const MessageId id = world.send("+33612345678", "secret words");
    REQUIRE(world.run(60s, [&] { return world.state(id) == MessageState::delivered; }));
    const auto attempts = world.detail(id).attempts;
    REQUIRE(attempts.size() == 2);
    const std::string said = notes_of(attempts[0], ports::NoteKind::dialogue);
    CAPTURE(said);
    CHECK(said.contains("> AT+CMGS="));
    CHECK(said.contains("< +CMS ERROR: 42  [result]\n"));
    CHECK(said.contains("digits)"));
    CHECK_FALSE(said.contains("21436587"));  // of the number, as a PDU has it
    CHECK(attempts[1].notes.empty());
}

TEST_CASE("rack: a submit without an answer is kept with what was said, and with what came late") {
    test::World world({.modems = 1, .toml = "[defaults]\nsubmit_timeout_s = 5\n"});
    REQUIRE(world.run_until_ready());
    inject(world, {.kind = sim::FaultKind::late_answer, .delay = 7s});
    const MessageId id = world.send("+33612345678", "hello");
    REQUIRE(world.run(60s, [&] { return world.state(id) == MessageState::delivered; }));
    world.run_for(1s);
    const auto attempts = world.detail(id).attempts;
    REQUIRE(attempts.size() == 1);
    REQUIRE(attempts[0].notes.size() == 2);
    CHECK(attempts[0].notes[0].text.contains("digits)"));
    CHECK_FALSE(attempts[0].notes[0].text.contains("+CMGS: "));
    CHECK(attempts[0].notes[1].text.contains("< +CMGS: "));
}
