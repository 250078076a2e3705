// What a line does about its SIM, its radio link and its troubles, with the whole rack around it.
#include "tests/rack/support/world.hpp"
#include "tests/support/temp_dir.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

void inject(test::World& world, modem_sim::Fault fault) {
    world.modems.modem(0).inject(world.clock.steady(), fault);
}

/// A folder with a PIN in it, and the key of a [[modem]] that names it.
struct PinFile {
    test::TempDir dir;

    explicit PinFile(const std::string& pin) { write(pin); }
    void write(const std::string& pin) const { std::ofstream(dir.path() / "pin") << pin << "\n"; }
    [[nodiscard]] std::string key() const {
        return "pin = { file = \"" + (dir.path() / "pin").string() + "\" }\n";
    }
};

int attempts_left(test::World& world) {
    return world.modems.modem(0).model().core().card.pin_attempts;
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
    inject(world, {.kind = modem_sim::FaultKind::cms_error, .code = 42});
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
    inject(world, {.kind = modem_sim::FaultKind::late_answer, .delay = 7s});
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

TEST_CASE("rack: a locked SIM gets its PIN at every start of its modem") {
    const PinFile pin("4711");
    test::World world({.modems = 1, .modem_toml = pin.key()});
    REQUIRE(world.run_until_ready());
    for (int start = 0; start < 2; ++start) {
        inject(world, {.kind = modem_sim::FaultKind::pin_wanted, .count = 3, .text = "4711"});
        world.run_for(1s);
        REQUIRE(world.run_until_ready());
        CHECK(attempts_left(world) == 3);
    }
    world.crash_and_restart();
    inject(world, {.kind = modem_sim::FaultKind::pin_wanted, .count = 3, .text = "4711"});
    world.run_for(1s);
    CHECK(world.run_until_ready());
}

TEST_CASE("rack: a wrong PIN costs the SIM one attempt, whatever restarts, until it is corrected") {
    const PinFile pin("1111");
    test::World world({.modems = 1, .modem_toml = pin.key()});
    REQUIRE(world.run_until_ready());
    inject(world, {.kind = modem_sim::FaultKind::pin_wanted, .count = 3, .text = "4711"});
    world.run_for(60s);
    CHECK(attempts_left(world) == 2);
    world.crash_and_restart();
    world.run_for(60s);
    inject(world, {.kind = modem_sim::FaultKind::reboot});
    world.run_for(60s);
    CHECK(attempts_left(world) == 2);
    pin.write("4711");
    world.crash_and_restart();
    CHECK(world.run_until_ready());
    CHECK(attempts_left(world) == 3);
}

TEST_CASE("rack: an opaque refusal is kept with a diagnosis, and its message goes out") {
    test::World world({.modems = 1});
    REQUIRE(world.run_until_ready());
    inject(world, {.kind = modem_sim::FaultKind::cms_error, .code = 500});
    const MessageId id = world.send("+33612345678", "hello");
    REQUIRE(world.run(20s, [&] { return world.detail(id).attempts.size() == 1; }));
    world.run_for(5s);
    const auto attempts = world.detail(id).attempts;
    const std::string diagnosis = notes_of(attempts.at(0), ports::NoteKind::diagnosis);
    CAPTURE(diagnosis);
    CHECK(diagnosis.contains("ok    SIM: ready\n"));
    CHECK(diagnosis.contains("ok    service centre: set\n"));
    CHECK(diagnosis.contains("Nothing is wrong on this side"));
}

TEST_CASE("rack: a SIM that has lost its service centre sends again with the configured one") {
    test::World world({.modems = 1, .toml = "[defaults]\nsmsc = \"+33609001390\"\n"});
    REQUIRE(world.run_until_ready());
    inject(world, {.kind = modem_sim::FaultKind::centre_lost});
    const MessageId id = world.send("+33612345678", "hello");
    CHECK(world.run(120s, [&] { return world.state(id) == MessageState::delivered; }));
}

TEST_CASE("rack: the radio link is kept while messages wait, and let go after the last") {
    for (const bool keeps : {true, false}) {
        CAPTURE(keeps);
        test::World world({.modems = 1, .toml = keeps ? "" : "[defaults]\nkeep_link = \"off\"\n"});
        REQUIRE(world.run_until_ready());
        for (int i = 0; i < 6; ++i) {
            world.send("+33612345678", "hello");
        }
        CHECK(world.run(60s, [&] { return world.modems.journal.submits.size() == 6; }));
        world.run_for(10s);
        const auto said = world.dialogue("m0");
        CHECK(said.contains("AT+CMMS=2") == keeps);
        CHECK(said.contains("AT+CMMS=0") == keeps);
    }
}

TEST_CASE("rack: a pace leaves its pause between the submits of each line") {
    test::World world(
        {.modems = 2, .service = 100ms, .toml = "[defaults]\npace_ms = 2000\npace_jitter = 0.5\n"});
    REQUIRE(world.run_until_ready());
    const SteadyTime begin = world.clock.steady();
    for (int i = 0; i < 10; ++i) {
        world.send("+33612345678", "hello");
    }
    CHECK(world.run(60s, [&] { return world.modems.journal.submits.size() == 10; }));
    const auto took = world.clock.steady() - begin;
    CHECK(took >= 4s);   // four pauses of a line, each of one second at least
    CHECK(took <= 14s);  // of three at most, and the submits
}
