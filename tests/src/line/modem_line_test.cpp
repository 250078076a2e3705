#include "src/line/modem_line.hpp"

#include "tests/support/held_store.hpp"
#include "tests/support/manual_clock.hpp"
#include "tests/support/quiet_log.hpp"
#include "tests/support/scripted_modem.hpp"
#include "tests/support/seeded_random.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

class NotingListener final : public ports::LineListener {
public:
    std::vector<std::string> heard;
    std::vector<ports::SegmentDone> done;
    std::vector<ports::LateSegment> late;

    void line_ready(ModemId, SimId sim) override {
        heard.push_back("ready " + std::to_string(sim.value));
    }
    void line_lost(ModemId) override { heard.emplace_back("lost"); }
    void segment_done(ModemId, ports::SegmentDone segment) override {
        done.push_back(std::move(segment));
    }
    void late_answer(ModemId, ports::LateSegment segment) override { late.push_back(segment); }
    void earlier_attempt(ModemId, SubmitOutcome) override { heard.emplace_back("earlier"); }
};

/// A line that is ready with SIM 5, and a message of the given segments in slot 0.
struct Bench {
    test::ManualClock clock;
    test::QuietLog log;
    test::SeededRandom random{1};
    test::HeldStore store;
    test::ScriptedModem modem;
    line::LineAddress address{modem.waiter()};
    NotingListener listener;
    queue::SendQueue encoded{{}, 2, 1};
    queue::OutSlots slots{2};
    line::LineBoard board;
    std::optional<line::ModemLine> line;

    explicit Bench(std::vector<std::string> pdus, line::LineSettings settings = {}) {
        const ModemId id = board.add("m0", "/dev/null", "default");
        settings.id = id;
        settings.name = "m0";
        line.emplace(settings, line::LineWorld{address, modem, store, listener,
                                               [this] { listener.heard.emplace_back("pdus"); },
                                               encoded, slots, board, clock, log, random});
        const auto slot = slots.take();
        REQUIRE(slot == 0);
        slots[*slot].message.id = MessageId{42};
        slots[*slot].message.expires_at = clock.wall() + std::chrono::hours(24);
        slots[*slot].pdus = std::move(pdus);
        modem.says.push_back(ports::ModemReady{{.iccid = "8933"}});
        step();
        store.answer<ports::IdentifySim>(SimId{5});
        step();
        REQUIRE(listener.heard == std::vector<std::string>{"ready 5"});
        listener.heard.clear();
    }

    [[nodiscard]] ports::LineView view() const { return board.lines().front(); }
    void step() { line->step(clock.steady()); }
    void says(ports::ModemEvent event) {
        modem.says.push_back(std::move(event));
        step();
    }
    void give() {
        address.give(0);
        step();
    }
    void begun(std::int64_t attempt) {
        store.answer<ports::BeginAttempt>(AttemptId{attempt});
        step();
    }
};

ports::SubmitDone taken(std::uint8_t tp_mr) {
    return {.outcome = {.kind = OutcomeKind::accepted, .tp_mr = tp_mr, .has_tp_mr = true},
            .pdu_sent = true};
}

}  // namespace

TEST_CASE(
    "ModemLine: AT+CMGS and the attempt's commit go side by side; the PDU leaves after the "
    "commit") {
    Bench bench({"pdu"});
    bench.give();
    CHECK(bench.modem.told == std::vector<std::string>{"submit pdu"});
    REQUIRE(bench.store.posted<ports::BeginAttempt>().size() == 1);
    CHECK(bench.store.posted<ports::BeginAttempt>().front().command.message == MessageId{42});
    CHECK(bench.store.posted<ports::BeginAttempt>().front().command.sim == SimId{5});
    bench.begun(7);
    CHECK(bench.modem.told.back() == "release");
    CHECK(bench.listener.done.empty());
    bench.clock.advance(std::chrono::seconds(5));
    bench.says(taken(12));
    REQUIRE(bench.listener.done.size() == 1);
    CHECK(bench.listener.done[0].took == std::chrono::seconds(5));
    CHECK(bench.listener.done[0].attempt == AttemptId{7});
    CHECK(bench.listener.done[0].outcome.tp_mr == 12);
    CHECK(bench.listener.done[0].returned);
}

TEST_CASE("ModemLine: the commit of the attempt wakes the line only where the modem waits for it") {
    struct Row {
        const char* what;
        bool prompted;
        Result<AttemptId> answer;
        bool woken;
    };
    for (const Row& row : {
             Row{"the modem has said its prompt", true, AttemptId{7}, true},
             Row{"the prompt is still to come, and wakes the line", false, AttemptId{7}, false},
             Row{"refused: AT+CMGS may still wait for its turn", false,
                 fail(Errc::storage, "disk full"), true},
         }) {
        CAPTURE(row.what);
        Bench bench({"pdu"});
        bench.modem.prompted = row.prompted;
        bench.give();
        const int before = bench.modem.woken;
        bench.store.answer<ports::BeginAttempt>(row.answer);
        CHECK((bench.modem.woken > before) == row.woken);
        bench.step();
        CHECK(bench.modem.told.back() == (row.answer ? "release" : "withhold"));
    }
}

TEST_CASE("ModemLine: a submit that ends before its attempt is committed waits for it") {
    Bench bench({"pdu"});
    bench.modem.prompted = false;
    bench.give();
    bench.says(ports::SubmitDone{.outcome = {.kind = OutcomeKind::not_sent}});
    CHECK(bench.listener.done.empty());
    const int before = bench.modem.woken;
    bench.store.answer<ports::BeginAttempt>(AttemptId{7});
    CHECK(bench.modem.woken > before);
    bench.step();
    CHECK(bench.listener.done.size() == 1);
}

TEST_CASE(
    "ModemLine: an attempt that can't be written withholds the PDU and gives the message back") {
    Bench bench({"pdu"});
    bench.give();
    bench.store.answer<ports::BeginAttempt>(fail(Errc::storage, "disk full"));
    bench.step();
    CHECK(bench.modem.told.back() == "withhold");
    bench.says(ports::SubmitDone{.outcome = {.kind = OutcomeKind::not_sent}});
    REQUIRE(bench.listener.done.size() == 1);
    CHECK(bench.listener.done[0].attempt == AttemptId{0});
    CHECK(bench.listener.done[0].begin_error->code == Errc::storage);
    CHECK(bench.listener.done[0].returned);
}

TEST_CASE("ModemLine: a message whose time ends while the machine is suspended does not leave") {
    struct Row {
        const char* what;
        std::chrono::seconds life;
        std::chrono::seconds asleep;
        const char* told;
    };
    for (const Row& row : {
             Row{"not suspended", 60s, 0s, "release"},
             Row{"its time is over", 60s, 3h, "withhold"},
             Row{"it has time left", 24h, 3h, "release"},
         }) {
        CAPTURE(row.what);
        Bench bench({"pdu"});
        bench.slots[0].message.created_at = bench.clock.wall();
        bench.slots[0].message.expires_at = bench.clock.wall() + row.life;
        bench.give();
        bench.clock.suspend(row.asleep);
        bench.begun(7);
        CHECK(bench.modem.told.back() == row.told);
    }
}

TEST_CASE(
    "ModemLine: an end that comes before the commit waits for it, so that no attempt is left "
    "open") {
    Bench bench({"pdu"});
    bench.give();
    bench.says(ports::SubmitDone{
        .outcome = {.kind = OutcomeKind::not_sent, .cause = {CodeKind::cms, 515}}});
    CHECK(bench.listener.done.empty());
    bench.begun(8);
    REQUIRE(bench.listener.done.size() == 1);
    CHECK(bench.listener.done[0].attempt == AttemptId{8});
    CHECK(bench.modem.told == std::vector<std::string>{"submit pdu"});
}

TEST_CASE(
    "ModemLine: the segments of a long message go out one after the other, without dispatch "
    "between them") {
    Bench bench({"one", "two", "three"});
    bench.give();
    for (std::uint8_t segment = 0; segment < 3; ++segment) {
        REQUIRE(bench.store.posted<ports::BeginAttempt>().size() == 1);
        CHECK(bench.store.posted<ports::BeginAttempt>().front().command.segment == segment);
        CHECK(bench.store.posted<ports::BeginAttempt>().front().command.segments == 3);
        bench.begun(segment + 1);
        bench.says(taken(segment));
        REQUIRE(bench.listener.done.size() == segment + 1U);
        CHECK(bench.listener.done.back().returned == (segment == 2));
        if (segment < 2) {
            CHECK(bench.store.posted<ports::BeginAttempt>().empty());
            bench.address.go_on();
            bench.step();
        }
    }
}

TEST_CASE(
    "ModemLine: an answer is noted before anything else follows, and only where the PDU had left") {
    Bench bench({"pdu"});
    bench.give();
    bench.begun(9);
    bench.says(taken(3));
    REQUIRE(bench.store.answers.size() == 1);
    CHECK(bench.store.answers[0].first == AttemptId{9});
    CHECK(bench.store.answers[0].second.tp_mr == 3);
    bench.give();
    bench.begun(10);
    bench.says(ports::SubmitDone{.outcome = {.kind = OutcomeKind::not_sent}});
    CHECK(bench.store.answers.size() == 1);
}

TEST_CASE(
    "ModemLine: what came in is read and stored before the attempt is written, since it may say "
    "STOP") {
    Bench bench({"pdu"});
    bench.modem.reading = true;
    bench.give();
    CHECK(bench.modem.told.empty());
    CHECK(bench.store.posted<ports::BeginAttempt>().empty());
    bench.modem.reading = false;
    bench.step();
    CHECK(bench.modem.told == std::vector<std::string>{"submit pdu"});
    CHECK(bench.store.posted<ports::BeginAttempt>().size() == 1);
}

TEST_CASE("ModemLine: a line lost while it reads first gives the message back unsent") {
    Bench bench({"pdu"});
    bench.modem.reading = true;
    bench.give();
    bench.says(ports::ModemNotReady{"no_answer", ""});
    REQUIRE(bench.listener.done.size() == 1);
    CHECK(bench.listener.done[0].outcome.kind == OutcomeKind::not_sent);
    CHECK(bench.store.posted<ports::BeginAttempt>().empty());
}

TEST_CASE("ModemLine: after a message that the network took, the next one goes out at once") {
    Bench bench({"one"});
    bench.encoded.open(true);
    const auto second = bench.slots.take();
    REQUIRE(second);
    bench.slots[*second].pdus = {"two"};
    bench.slots[*second].message.expires_at = bench.clock.wall() + 60s;
    bench.slots[*second].encoded_at = bench.clock.wall();
    bench.encoded.reserve({}, *second);
    bench.encoded.fill({});
    bench.give();
    bench.begun(7);
    bench.says(taken(1));
    REQUIRE(bench.listener.done.size() == 1);
    CHECK(bench.listener.done[0].next_slot == *second);
    CHECK(bench.modem.told == std::vector<std::string>{"submit one", "release", "submit two"});
}

TEST_CASE(
    "ModemLine: a refusal, an old PDU or an expired message is for dispatch to decide about") {
    for (const bool refused : {true, false}) {
        CAPTURE(refused);
        Bench bench({"one"});
        bench.encoded.open(true);
        const auto second = bench.slots.take();
        REQUIRE(second);
        bench.slots[*second].pdus = {"two"};
        bench.slots[*second].message.expires_at = bench.clock.wall() + 60s;
        bench.slots[*second].encoded_at = bench.clock.wall() - (refused ? 0s : 60s);
        bench.encoded.reserve({}, *second);
        bench.encoded.fill({});
        bench.give();
        bench.begun(7);
        bench.says(refused ? ports::SubmitDone{.outcome = {.kind = OutcomeKind::refused,
                                                           .cause = {CodeKind::cms, 42}},
                                               .pdu_sent = true}
                           : taken(1));
        REQUIRE(bench.listener.done.size() == 1);
        CHECK_FALSE(bench.listener.done[0].next_slot);
        CHECK(bench.encoded.take_where({}, bench.clock.wall(), [](queue::SlotNumber) {
            return queue::Look::take;
        }) == *second);
    }
}

TEST_CASE("ModemLine: a refused segment ends the run, the rest goes back") {
    Bench bench({"one", "two"});
    bench.give();
    bench.begun(1);
    bench.says(ports::SubmitDone{
        .outcome = {.kind = OutcomeKind::refused, .cause = {CodeKind::cms, 42}}, .pdu_sent = true});
    REQUIRE(bench.listener.done.size() == 1);
    CHECK(bench.listener.done[0].returned);
    CHECK(bench.store.posted<ports::BeginAttempt>().empty());
}

TEST_CASE(
    "ModemLine: the answer that comes after the doubt is reported with the attempt it belongs to") {
    Bench bench({"pdu"});
    bench.give();
    bench.begun(7);
    bench.says(ports::SubmitDone{.outcome = {.kind = OutcomeKind::unknown}, .pdu_sent = true});
    bench.says(ports::LateAnswer{{.kind = OutcomeKind::accepted, .tp_mr = 3, .has_tp_mr = true}});
    REQUIRE(bench.listener.late.size() == 1);
    CHECK(bench.listener.late[0].attempt == AttemptId{7});
    CHECK(bench.listener.late[0].message == MessageId{42});
    bench.says(ports::LateAnswer{{.kind = OutcomeKind::accepted, .tp_mr = 4, .has_tp_mr = true}});
    CHECK(bench.listener.late.size() == 1);
}

TEST_CASE("ModemLine: the attempt that an earlier process left open may be answered late, once") {
    const line::GivenUp open{.attempt = AttemptId{3}, .message = MessageId{40}, .segment = 1};
    const ports::LateAnswer late{{.kind = OutcomeKind::accepted, .tp_mr = 3, .has_tp_mr = true}};
    Bench bench({"pdu"}, {.left_open = open});
    SUBCASE("after it was called unknown") {
        bench.says(ports::EarlierAttempt{{.kind = OutcomeKind::unknown}});
        bench.says(late);
        REQUIRE(bench.listener.late.size() == 1);
        CHECK(bench.listener.late[0].attempt == AttemptId{3});
        CHECK(bench.listener.late[0].message == MessageId{40});
        CHECK(bench.listener.late[0].segment == 1);
        bench.says(late);
        CHECK(bench.listener.late.size() == 1);
    }
    SUBCASE("not where the port told its outcome") {
        bench.says(ports::EarlierAttempt{{.kind = OutcomeKind::not_sent}});
        bench.says(late);
        CHECK(bench.listener.late.empty());
    }
    SUBCASE("not after one of this process was given up too") {
        bench.says(ports::EarlierAttempt{{.kind = OutcomeKind::unknown}});
        bench.give();
        bench.begun(7);
        bench.says(ports::SubmitDone{.outcome = {.kind = OutcomeKind::unknown}, .pdu_sent = true});
        bench.says(late);
        REQUIRE(bench.listener.late.size() == 1);
        CHECK(bench.listener.late[0].attempt == AttemptId{7});
    }
    SUBCASE("also by the process after") {
        bench.says(ports::EarlierAttempt{{.kind = OutcomeKind::unknown}});
        CHECK(bench.line->carried().given_up->attempt == AttemptId{3});
    }
}

TEST_CASE("ModemLine: what was said goes with an attempt that was not accepted") {
    struct Case {
        ports::SubmitDone end;
        bool noted;
    };
    for (const Case& c : {
             Case{taken(12), false},
             Case{{.outcome = {.kind = OutcomeKind::refused, .cause = {CodeKind::cms, 500}},
             .pdu_sent = true},
                  true},
             Case{{.outcome = {.kind = OutcomeKind::unknown}, .pdu_sent = true}, true},
             Case{{.outcome = {.kind = OutcomeKind::not_sent}}, true},
         }) {
        CAPTURE(static_cast<int>(c.end.outcome.kind));
        Bench bench({"pdu"});
        bench.modem.said = "> AT+CMGS=19\n";
        bench.give();
        bench.begun(7);
        bench.says(c.end);
        REQUIRE(bench.store.posted<ports::NoteAttempt>().size() == (c.noted ? 1 : 0));
        if (c.noted) {
            CHECK(bench.store.posted<ports::NoteAttempt>()[0].command.attempt == AttemptId{7});
            CHECK(bench.store.posted<ports::NoteAttempt>()[0].command.note.kind ==
                  ports::NoteKind::dialogue);
            CHECK(bench.store.posted<ports::NoteAttempt>()[0].command.note.text ==
                  "> AT+CMGS=19\n");
        }
    }
}

TEST_CASE("ModemLine: a diagnosis goes with the attempt that was refused, and with no later one") {
    Bench bench({"pdu"});
    bench.give();
    bench.begun(7);
    bench.says(
        ports::SubmitDone{.outcome = {.kind = OutcomeKind::refused, .cause = {CodeKind::cms, 500}},
                          .pdu_sent = true});
    bench.says(ports::Diagnosis{"ok    SIM: ready\n"});
    bench.says(ports::Diagnosis{"of nothing\n"});
    REQUIRE(bench.store.posted<ports::NoteAttempt>().size() == 1);
    CHECK(bench.store.posted<ports::NoteAttempt>()[0].command.attempt == AttemptId{7});
    CHECK(bench.store.posted<ports::NoteAttempt>()[0].command.note.kind ==
          ports::NoteKind::diagnosis);
    CHECK(bench.store.posted<ports::NoteAttempt>()[0].command.note.text == "ok    SIM: ready\n");
}

TEST_CASE("ModemLine: a diagnosis that comes before the attempt is known waits for it") {
    Bench bench({"pdu"});
    bench.give();
    bench.says(ports::SubmitDone{
        .outcome = {.kind = OutcomeKind::refused, .cause = {CodeKind::cms, 500}}});
    bench.says(ports::Diagnosis{"ok    SIM: ready\n"});
    CHECK(bench.store.posted<ports::NoteAttempt>().empty());
    bench.begun(7);
    REQUIRE(bench.store.posted<ports::NoteAttempt>().size() == 1);
    CHECK(bench.store.posted<ports::NoteAttempt>()[0].command.attempt == AttemptId{7});
}

TEST_CASE(
    "ModemLine: the PIN is entered after its try is on disk, and only where the store allows") {
    struct Case {
        Result<bool> answer;
        const char* told;
    };
    for (const Case& c : {Case{true, "pin 8933 0"}, Case{false, "pin 8933 1"},
                          Case{fail(Errc::storage, "disk full"), "pin 8933 2"}}) {
        CAPTURE(c.told);
        Bench bench({"pdu"});
        bench.says(ports::PinWanted{{"8933", 17, 3}});
        CHECK(bench.modem.told.empty());
        REQUIRE(bench.store.posted<ports::BeginPinTry>().size() == 1);
        CHECK(bench.store.posted<ports::BeginPinTry>().front().command.pin.value == 17);
        bench.store.answer<ports::BeginPinTry>(c.answer);
        bench.step();
        CHECK(bench.modem.told == std::vector<std::string>{c.told});
    }
    Bench bench({"pdu"});
    bench.says(ports::PinTried{{"8933", 17, 3}, false});
    REQUIRE(bench.store.posted<ports::EndPinTry>().size() == 1);
    CHECK_FALSE(bench.store.posted<ports::EndPinTry>()[0].command.taken);
}

TEST_CASE("ModemLine: a SIM that is four fifths full is an alarm, once until it was emptied") {
    Bench bench({"pdu"});
    const auto alarms = [&] {
        return std::ranges::count(bench.store.events, "sim_nearly_full", &Event::detail);
    };
    bench.says(ports::SimStorage{39, 50});
    CHECK(alarms() == 0);
    bench.says(ports::SimStorage{40, 50});
    bench.says(ports::SimStorage{50, 50});
    bench.says(ports::SimStorage{36, 50});
    bench.says(ports::SimStorage{41, 50});
    CHECK(alarms() == 1);
    bench.says(ports::SimStorage{10, 50});
    bench.says(ports::SimStorage{40, 50});
    CHECK(alarms() == 2);
    CHECK(bench.board.lines()[0].sim_used == 40);
    CHECK(bench.board.lines()[0].sim_total == 50);
}

TEST_CASE("ModemLine: the modem learns whether more waits behind a segment") {
    Bench bench({"one", "two"});
    bench.give();
    CHECK(bench.modem.more_expected);
    bench.begun(1);
    bench.says(taken(1));
    bench.address.go_on();
    bench.step();
    CHECK_FALSE(bench.modem.more_expected);
}

TEST_CASE("ModemLine: with a pace, each segment is followed by a pause, between segments too") {
    Bench bench({"one", "two"}, {.pace = 1000ms, .pace_jitter = 0.5});
    bench.give();
    bench.begun(1);
    bench.says(taken(1));
    REQUIRE(bench.listener.done.size() == 1);
    const auto rest = bench.listener.done[0].rest;
    CHECK(rest >= 500ms);
    CHECK(rest <= 1500ms);
    bench.address.go_on();
    bench.step();
    CHECK(bench.store.posted<ports::BeginAttempt>().empty());
    CHECK(bench.line->step(bench.clock.steady()) <= bench.clock.steady() + rest);
    bench.clock.advance(rest - 1ns);
    bench.step();
    CHECK(bench.store.posted<ports::BeginAttempt>().empty());
    bench.clock.advance(1ns);
    bench.step();
    REQUIRE(bench.store.posted<ports::BeginAttempt>().size() == 1);
    bench.begun(2);
    bench.says(taken(2));
    REQUIRE(bench.listener.done.size() == 2);
    CHECK(bench.listener.done[1].rest > 0ms);
}

TEST_CASE("ModemLine: the board shows the dialogue of a line by its name") {
    Bench bench({"pdu"});
    bench.modem.said = "> AT\n";
    CHECK(bench.board.dialogue("m0") == "> AT\n");
    CHECK_FALSE(bench.board.dialogue("m1"));
}

TEST_CASE("ModemLine: a line that was lost before it began gives the message back unsent") {
    Bench bench({"pdu"});
    bench.says(ports::ModemNotReady{"no_answer", "the modem does not answer"});
    CHECK(bench.listener.heard == std::vector<std::string>{"lost"});
    bench.give();
    REQUIRE(bench.listener.done.size() == 1);
    CHECK(bench.listener.done[0].attempt == AttemptId{0});
    CHECK_FALSE(bench.listener.done[0].begin_error);
    CHECK(bench.modem.told.empty());
}

TEST_CASE(
    "ModemLine: a received PDU is acknowledged after it is kept, and offered again after a full "
    "disk") {
    Bench bench({"pdu"});
    bench.says(ports::ReceivedPdu{.token = 9, .status_report = false, .pdu = "abc"});
    CHECK(bench.listener.heard == std::vector<std::string>{"pdus"});
    queue::ReceivedOctets pdu;
    REQUIRE(bench.address.received().pop(pdu));
    CHECK(pdu.view() == "abc");
    CHECK(bench.modem.told.empty());
    bench.address.not_kept(9);
    bench.step();
    CHECK(bench.modem.told.empty());
    CHECK_FALSE(bench.address.received().pop(pdu));
    bench.clock.advance(3s);
    bench.step();
    REQUIRE(bench.address.received().pop(pdu));
    CHECK(pdu.token == 9);
    bench.address.acknowledge(9);
    bench.step();
    CHECK(bench.modem.told == std::vector<std::string>{"ack 9"});
}

TEST_CASE("ModemLine: the store hears where a PDU was held, and when that place is empty") {
    Bench bench({"pdu"});
    const HeldPlace place{.memory = HeldIn::sim, .index = 3};
    bench.says(ports::ReceivedPdu{.token = 9, .pdu = "abc", .held_at = place});
    queue::ReceivedOctets pdu;
    REQUIRE(bench.address.received().pop(pdu));
    CHECK(pdu.held_at == place);
    CHECK(pdu.heard_at == bench.clock.wall());
    CHECK(bench.store.posted<ports::ForgetHeld>().empty());
    bench.says(ports::PduErased{place});
    REQUIRE(bench.store.posted<ports::ForgetHeld>().size() == 1);
    CHECK(bench.store.posted<ports::ForgetHeld>()[0].command.sim == SimId{5});
    CHECK(bench.store.posted<ports::ForgetHeld>()[0].command.place == place);

    bench.says(ports::ModemReady{{.imei = "other", .iccid = "8933"}});  // the same card elsewhere
    bench.says(ports::PduErased{place});
    CHECK(bench.store.posted<ports::ForgetHeld>().size() == 1);
    bench.says(ports::PlacesListed{.memory = HeldIn::sim, .indexes = {2}});
    CHECK(bench.store.posted<ports::ForgetHeldElsewhere>().empty());
    bench.store.answer<ports::IdentifySim>(SimId{5});
    bench.step();
    CHECK(bench.store.posted<ports::ForgetHeld>().size() == 2);
    REQUIRE(bench.store.posted<ports::ForgetHeldElsewhere>().size() == 1);
    const auto& [sim, memory, indexes] =
        bench.store.posted<ports::ForgetHeldElsewhere>()[0].command;
    CHECK(sim == SimId{5});
    CHECK(memory == HeldIn::sim);
    CHECK(indexes == std::vector<std::uint16_t>{2});
}

TEST_CASE("ModemLine: reading pauses while the receive queue is full") {
    Bench bench({"pdu"});
    for (std::uint32_t token = 1; token <= queue::receive_queue_places; ++token) {
        bench.says(ports::ReceivedPdu{.token = token, .status_report = false, .pdu = "abc"});
    }
    CHECK(bench.modem.told == std::vector<std::string>{"pause"});
    bench.address.acknowledge(1);
    bench.step();
    CHECK(bench.modem.told == std::vector<std::string>{"pause", "ack 1", "read"});
}

TEST_CASE("ModemLine: what is read before the SIM is known waits for it") {
    Bench bench({"pdu"});
    bench.says(ports::ModemReady{{.iccid = "8934"}});  // another SIM
    bench.says(ports::ReceivedPdu{.token = 1, .status_report = false, .pdu = "abc"});
    CHECK(bench.listener.heard == std::vector<std::string>{"lost"});
    bench.store.answer<ports::IdentifySim>(SimId{6});
    bench.step();
    CHECK(bench.listener.heard == std::vector<std::string>{"lost", "ready 6", "pdus"});
    queue::ReceivedOctets pdu;
    REQUIRE(bench.address.received().pop(pdu));
    CHECK(pdu.sim == SimId{6});
}

TEST_CASE("ModemLine: what is read of a SIM is that SIM's, whichever was there before") {
    Bench bench({"pdu"});
    queue::ReceivedOctets pdu;
    bench.says(ports::ModemNotReady{"sim_absent", "the SIM was taken out"});
    bench.says(ports::ModemIdentified{{.iccid = "8933"}});  // the same again: nothing to wait for
    bench.says(ports::ReceivedPdu{.token = 1, .pdu = "old"});
    REQUIRE(bench.address.received().pop(pdu));
    CHECK(pdu.sim == SimId{5});
    bench.address.not_kept(1);  // by a full disk: it is still on the old SIM
    bench.step();

    bench.says(ports::ModemIdentified{{.iccid = "8944"}});
    bench.says(ports::ReceivedPdu{.token = 2, .pdu = "new"});
    bench.clock.advance(3s);
    bench.step();
    CHECK_FALSE(bench.address.received().pop(pdu));
    bench.says(ports::ModemReady{{.iccid = "8944"}});
    bench.store.answer<ports::IdentifySim>(SimId{6});
    bench.step();
    REQUIRE(bench.address.received().pop(pdu));
    CHECK(pdu.view() == "new");
    CHECK(pdu.sim == SimId{6});
    CHECK_FALSE(bench.address.received().pop(pdu));
}

TEST_CASE("ModemLine: the rest of a long message that paces does not go out with another SIM") {
    Bench bench({"first", "second"}, line::LineSettings{.pace = 60s});
    bench.give();
    bench.begun(7);
    bench.says(taken(12));
    bench.address.go_on();
    bench.step();
    bench.says(ports::ModemNotReady{"sim_absent", "the SIM was taken out"});
    bench.says(ports::ModemIdentified{{.iccid = "8944"}});
    bench.says(ports::ModemReady{{.iccid = "8944"}});
    bench.store.answer<ports::IdentifySim>(SimId{6});
    bench.step();
    bench.clock.advance(61s);
    bench.step();
    CHECK(bench.modem.told == std::vector<std::string>{"submit first", "release"});
    REQUIRE(bench.listener.done.size() == 2);
    CHECK(bench.listener.done[1].segment == 1);
    CHECK(bench.listener.done[1].attempt == AttemptId{0});
    CHECK(bench.listener.done[1].returned);
}

namespace {

/// Orders a command of the bench's line; its answer, when it has come.
struct Asked {
    std::optional<Result<ports::HandAnswer>> answer;

    explicit Asked(Bench& bench) {
        bench.address.order({.text = "AT+CSQ"}, [this](Result<ports::HandAnswer> result) {
            answer = std::move(result);
        });
        bench.step();
    }
};

}  // namespace

TEST_CASE(
    "ModemLine: a manual command waits for the message in flight, and takes the line meanwhile") {
    Bench bench({"pdu"});
    bench.give();
    bench.begun(7);
    const Asked asked(bench);
    CHECK(bench.modem.told.back() == "release");
    bench.says(taken(12));
    CHECK(bench.modem.told.back() == "order AT+CSQ");
    CHECK(bench.listener.heard == std::vector<std::string>{"lost"});

    SUBCASE("a message that was given meanwhile goes back unsent") {
        bench.give();
        REQUIRE(bench.listener.done.size() == 2);
        CHECK(bench.listener.done[1].attempt.value == 0);
    }
    CHECK(!asked.answer);
    bench.says(ports::HandEnded{ports::HandAnswer{.final_result = "OK"}});
    REQUIRE(asked.answer);
    CHECK((*asked.answer)->final_result == "OK");
    CHECK(bench.listener.heard == std::vector<std::string>{"lost", "ready 5"});
}

TEST_CASE("ModemLine: a manual command does not wait for ever behind a message") {
    Bench bench({"pdu"});
    bench.give();
    bench.begun(7);
    const Asked asked(bench);
    bench.clock.advance(line::LineOrders::wait_max);
    bench.step();
    REQUIRE(asked.answer);
    CHECK(asked.answer->error().code == Errc::busy);
    bench.says(taken(12));
    CHECK(bench.modem.told.back() == "release");
    CHECK(bench.listener.heard.empty());
}

TEST_CASE("ModemLine: a line that is lost during a command is not told to be ready after it") {
    Bench bench({"pdu"});
    const Asked asked(bench);
    bench.says(ports::ModemNotReady{"rebooted", ""});
    bench.says(ports::HandEnded{fail(Errc::busy, "")});
    CHECK(bench.listener.heard == std::vector<std::string>{"lost"});
    bench.says(ports::ModemReady{{.iccid = "8933"}});
    CHECK(bench.listener.heard == std::vector<std::string>{"lost", "ready 5"});
}

TEST_CASE("ModemLine: manual commands are taken in turn, and only a few wait") {
    Bench bench({"pdu"});
    std::vector<std::unique_ptr<Asked>> asked;
    for (std::size_t i = 0; i < line::LineOrders::waiting_max + 2; ++i) {
        asked.push_back(std::make_unique<Asked>(bench));
    }
    CHECK(asked.back()->answer->error().code == Errc::busy);
    asked.pop_back();
    for (const auto& one : asked) {
        CHECK(!one->answer);
        bench.says(ports::HandEnded{ports::HandAnswer{.final_result = "OK"}});
        CHECK(one->answer);
    }
}

TEST_CASE("ModemLine: its own number is the configured one, or what the SIM says") {
    struct Row {
        const char* so;
        const char* configured;
        const char* said;
        const char* expected;
    };
    for (const Row& row : {
             Row{"neither", "", "", ""},
             Row{"the SIM's", "", "+33612345678", "+33612345678"},
             Row{"the SIM's, as it is dialled", "", "0612345678", "+33612345678"},
             Row{"what is no number stays as it is said", "", "12", "12"},
             Row{"the configured one first", "+33699999999", "+33612345678", "+33699999999"},
         }) {
        CAPTURE(row.so);
        test::ManualClock clock;
        test::QuietLog log;
        test::SeededRandom random{1};
        test::HeldStore store;
        test::ScriptedModem modem;
        line::LineAddress address(modem.waiter());
        NotingListener listener;
        queue::SendQueue encoded({}, 2, 1);
        queue::OutSlots slots{1};
        line::LineBoard board;
        const ModemId id = board.add("m0", "/dev/null", "default");
        line::ModemLine line(
            {.id = id,
             .name = "m0",
             .number = row.configured,
             .plan = {.country = "+33", .trunk = "0"}},
            {address, modem, store, listener, [] {}, encoded, slots, board, clock, log, random});
        modem.says.push_back(ports::ModemReady{{.iccid = "8933", .number = row.said}});
        line.step(clock.steady());
        CHECK(board.own_number(id) == row.expected);
        CHECK(board.lines().at(0).identity.number == row.expected);
    }
}

TEST_CASE("ModemLine: another SIM than last time is adopted, warned of or refused") {
    struct Row {
        ports::SimPolicy policy;
        bool told;
        bool refused;
    };
    for (const Row& row :
         {Row{ports::SimPolicy::adopt, false, false}, Row{ports::SimPolicy::warn, true, false},
          Row{ports::SimPolicy::refuse, true, true}}) {
        CAPTURE(static_cast<int>(row.policy));
        Bench bench({"pdu"}, line::LineSettings{.sim_policy = row.policy});
        CHECK(bench.store.posted<ports::PairSlot>().back().command.seen.keep_card == row.refused);
        bench.says(ports::ModemNotReady{"sim_absent", "the SIM was taken out"});
        bench.store.events.clear();
        bench.store.known = ports::SlotKnown{.card = "8933", .card_was_in = "m7"};
        bench.says(ports::ModemReady{{.iccid = "8944"}});
        const auto told = [&](std::string_view word) {
            return std::ranges::count(bench.store.events, word, &Event::detail);
        };
        CHECK(told("sim_changed") == (row.told ? 1 : 0));
        CHECK(bench.view().incidents.at(static_cast<std::size_t>(ports::Incident::sim_changed)) ==
              1);
        CHECK(bench.view().identity.iccid == "8944");
        CHECK(bench.store.posted<ports::IdentifySim>().size() == (row.refused ? 0 : 1));
        if (row.refused) {
            CHECK(bench.view().reason == "sim_refused");
            CHECK(bench.view().detail.contains("8944 (last in m7) is where 8933 was"));
            CHECK(bench.view().life == ports::LineLife::sim_wait);
            CHECK(bench.listener.heard == std::vector<std::string>{"lost"});
            // What comes in stays in the modem until the SIM is the right one.
            bench.says(ports::ReceivedPdu{.token = 1, .pdu = "x"});
            CHECK(bench.listener.heard == std::vector<std::string>{"lost"});
            bench.store.known = ports::SlotKnown{.card = "8933"};
            bench.says(ports::ModemReady{{.iccid = "8933"}});
            CHECK(bench.view().life == ports::LineLife::ready);
        }
        bench.store.answer<ports::IdentifySim>(SimId{6});
        bench.step();
        CHECK(bench.view().link == ports::LinkState::active);
        CHECK(bench.view().reason.empty());
        CHECK(std::ranges::count(bench.listener.heard, "ready 6") == 1);
    }
}

TEST_CASE("ModemLine: another modem in the slot is reported, and may send") {
    Bench bench({"pdu"});
    bench.store.known = ports::SlotKnown{.imei = "3532", .card = "8933"};
    bench.says(ports::ModemReady{{.imei = "3599", .iccid = "8933"}});
    CHECK(std::ranges::count(bench.store.events, "modem_changed", &Event::detail) == 1);
    bench.store.answer<ports::IdentifySim>(SimId{5});
    bench.step();
    CHECK(bench.view().link == ports::LinkState::active);
}

TEST_CASE(
    "ModemLine: while the disk fails the SIM is unknown, so nothing is sent; it is asked again") {
    Bench bench({"pdu"});
    bench.store.known = fail(Errc::storage, "disk");
    bench.says(ports::ModemReady{{.iccid = "8944"}});
    CHECK(bench.view().reason == "storage");
    bench.store.known = ports::SlotKnown{};
    bench.clock.advance(2s);
    bench.step();
    bench.store.answer<ports::IdentifySim>(SimId{6});
    bench.step();
    CHECK(bench.view().link == ports::LinkState::active);
}

TEST_CASE(
    "ModemLine: a modem that was lost while the store looked up its SIM is not said to be ready") {
    Bench bench({"pdu"});
    bench.says(ports::ModemReady{{.iccid = "8944"}});
    bench.says(ports::ModemNotReady{"no_port", "unplugged"});
    bench.listener.heard.clear();
    bench.store.answer<ports::IdentifySim>(SimId{6});
    bench.step();
    CHECK(bench.listener.heard.empty());
    CHECK(bench.view().reason == "no_port");
    bench.says(ports::ModemReady{{.iccid = "8944"}});
    CHECK(bench.listener.heard == std::vector<std::string>{"ready 6"});
}

TEST_CASE("ModemLine: incidents are counted, and told where they outlast the moment") {
    Bench bench({"pdu"});
    for (std::size_t kind = 0; kind < ports::incident_count; ++kind) {
        bench.store.events.clear();
        bench.says(ports::ModemIncident{static_cast<ports::Incident>(kind)});
        CAPTURE(std::string(ports::incident_names.at(kind)));
        CHECK(bench.view().incidents.at(kind) == 1);
        const bool told = std::ranges::count(bench.store.events, ports::incident_names.at(kind),
                                             &Event::detail) == 1;
        const auto incident = static_cast<ports::Incident>(kind);
        CHECK(told ==
              (incident == ports::Incident::restarted || incident == ports::Incident::reconnected ||
               incident == ports::Incident::call_refused ||
               incident == ports::Incident::modem_changed ||
               incident == ports::Incident::pdu_unreadable ||
               incident == ports::Incident::sim_elsewhere));
    }
}

TEST_CASE("ModemLine: a port that may have come is tried at once, where the line is now is shown") {
    Bench bench({"pdu"});
    bench.modem.now_is = ports::LineLife::absent;
    bench.address.port_changed();
    bench.step();
    CHECK(bench.modem.told.back() == "port_changed");
    CHECK(bench.view().life == ports::LineLife::absent);
}

TEST_CASE("LineBoard: a line whose SIM rests is cooling, where it could send otherwise") {
    line::LineBoard board;
    const ModemId id = board.add("m0", "/dev/null", "default");
    board.life(id, ports::LineLife::ready);
    board.pause(id, ports::LinePause{.reason = "quota"});
    CHECK(board.lines().front().life == ports::LineLife::ready);
    board.pause(id, ports::LinePause{.reason = "cooling"});
    CHECK(board.lines().front().life == ports::LineLife::cooling);
    board.life(id, ports::LineLife::absent);
    CHECK(board.lines().front().life == ports::LineLife::absent);
}

TEST_CASE("ModemLine: a line that is held takes no message, and is ready again when it is let go") {
    Bench bench({"pdu"});
    bench.address.hold(true);
    bench.step();
    CHECK(bench.listener.heard == std::vector<std::string>{"lost"});
    bench.give();
    REQUIRE(bench.listener.done.size() == 1);
    CHECK(bench.listener.done[0].attempt == AttemptId{0});
    bench.says(ports::ModemNotReady{"no_answer", ""});
    bench.says(ports::ModemReady{{.iccid = "8933"}});
    CHECK(bench.listener.heard == std::vector<std::string>{"lost"});
    bench.address.hold(false);
    bench.step();
    CHECK(bench.listener.heard == std::vector<std::string>{"lost", "ready 5"});
    CHECK(bench.modem.told == std::vector<std::string>{"hold", "let go"});
}

TEST_CASE("ModemLine: a line is ready when it is let go and the manual command has ended") {
    for (const bool hold_ends_first : {false, true}) {
        CAPTURE(hold_ends_first);
        Bench bench({"pdu"});
        const Asked asked(bench);
        bench.address.hold(true);
        bench.step();
        const auto let_go = [&] {
            bench.address.hold(false);
            bench.step();
        };
        const auto end_command = [&] { bench.says(ports::HandEnded{ports::HandAnswer{}}); };
        hold_ends_first ? let_go() : end_command();
        CHECK(bench.listener.heard == std::vector<std::string>{"lost"});
        hold_ends_first ? end_command() : let_go();
        CHECK(bench.listener.heard == std::vector<std::string>{"lost", "ready 5"});
    }
}

namespace {

/// What the line has asked of the fleet, and how the fleet answers.
struct HeldShares final : ports::SimShares {
    std::vector<std::string> said;
    std::function<void(ports::SimShare)> tell;

    void follow(ModemId, std::string iccid, bool has_stayed,
                std::function<void(ports::SimShare)> told) override {
        said.push_back((has_stayed ? "follow on " : "follow ") + iccid);
        tell = std::move(told);
    }
    void leave(ModemId) override { said.emplace_back("leave"); }
};

/// A line of a fleet, whose modem has a SIM.
struct FleetLine {
    test::ManualClock clock;
    test::QuietLog log;
    test::SeededRandom random{1};
    test::HeldStore store;
    test::ScriptedModem modem;
    line::LineAddress address{modem.waiter()};
    NotingListener listener;
    queue::SendQueue encoded{{}, 2, 1};
    queue::OutSlots slots{2};
    line::LineBoard board;
    line::SimQuota quota{{.is_shared = true}, clock};
    HeldShares shares;
    line::ModemLine line{{.id = board.add("m0", "/dev/null", "default"), .name = "m0"},
                         {address, modem, store, listener, [] {}, encoded, slots, board, clock, log,
                          random, &quota, &shares}};

    FleetLine() { inserted("8933"); }

    void step() { line.step(clock.steady()); }
    void says(ports::ModemEvent event) {
        modem.says.push_back(std::move(event));
        step();
    }
    void inserted(const char* iccid) {
        says(ports::ModemReady{{.iccid = iccid}});
        store.answer<ports::IdentifySim>(SimId{5});
        step();
        counted(iccid);
    }
    void counted(const char* card) {
        store.answer<ports::ReadQuota>(ports::UsedQuota{.card = card});
        step();
    }
    void told(ports::SimShare share) {
        shares.tell(std::move(share));
        step();
    }
    [[nodiscard]] std::string reason() const { return board.lines().front().reason; }
    [[nodiscard]] std::vector<std::string> heard() { return std::exchange(listener.heard, {}); }
};

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE(
    "ModemLine of a fleet: it is ready when store and fleet have said what its SIM has sent") {
    FleetLine bench;
    CHECK(bench.shares.said == Words{"follow 8933"});
    CHECK(bench.heard().empty());
    CHECK(bench.reason() == "sim_unread");
    bench.told({});
    CHECK(bench.heard() == Words{"ready 5"});
    CHECK(bench.reason().empty());
    CHECK(bench.board.lines().front().link == ports::LinkState::active);

    // The network is lost and found: the SIM has stayed.
    bench.says(ports::ModemNotReady{"registering", "no network"});
    bench.says(ports::ModemReady{{.iccid = "8933"}});
    CHECK(bench.heard() == Words{"lost", "ready 5"});
    CHECK(bench.shares.said.size() == 1);
}

TEST_CASE("ModemLine of a fleet: a SIM that was out may have sent elsewhere") {
    for (const char* const reason : {"sim_absent", "no_port", "out_of_service"}) {
        CAPTURE(reason);
        FleetLine bench;
        bench.told({});
        bench.says(ports::ModemNotReady{reason, "gone"});
        CHECK(bench.shares.said == Words{"follow 8933", "leave"});
        CHECK(bench.heard() == Words{"ready 5", "lost"});
        bench.says(ports::ModemReady{{.iccid = "8933"}});
        bench.counted("8933");
        CHECK(bench.shares.said == Words{"follow 8933", "leave", "follow 8933"});
        CHECK(bench.heard().empty());
        bench.told({});
        CHECK(bench.heard() == Words{"ready 5"});
    }
}

TEST_CASE(
    "ModemLine of a fleet: a SIM that another box has too sends nothing until that one is out") {
    FleetLine bench;
    bench.told({});
    CHECK(bench.heard() == Words{"ready 5"});
    bench.told({.elsewhere = "box paris-2"});
    CHECK(bench.heard() == Words{"lost"});
    CHECK(bench.reason() == "sim_elsewhere");
    const ports::LineView view = bench.board.lines().front();
    CHECK(view.detail == "box paris-2 has a SIM with the same ICCID");
    CHECK(view.incidents.at(static_cast<std::size_t>(ports::Incident::sim_elsewhere)) == 1);
    // The network is lost and found meanwhile: the reason stays.
    bench.says(ports::ModemNotReady{"registering", "no network"});
    bench.says(ports::ModemReady{{.iccid = "8933"}});
    CHECK(bench.reason() == "sim_elsewhere");
    bench.counted("8933");
    CHECK(bench.heard().empty());
    bench.told({});
    CHECK(bench.heard() == Words{"ready 5"});
    CHECK(bench.reason().empty());
}

TEST_CASE("ModemLine of a fleet: a SIM that is refused is in no slot, and may be in another box") {
    FleetLine bench;
    bench.told({});
    bench.says(ports::ModemIdentified{{.iccid = "8944"}});
    CHECK(bench.shares.said.back() == "leave");
    bench.inserted("8933");
    CHECK(bench.shares.said.back() == "follow 8933");
    bench.told({});
    CHECK(bench.heard().back() == "ready 5");
}

TEST_CASE("ModemLine of a fleet: another modem with the same SIM asks once more") {
    FleetLine bench;
    bench.told({});
    bench.says(ports::ModemReady{{.imei = "other", .iccid = "8933"}});
    bench.store.answer<ports::IdentifySim>(SimId{5});
    bench.step();
    bench.counted("8933");
    CHECK(bench.shares.said == Words{"follow 8933", "leave", "follow 8933"});
    bench.told({});
    CHECK(bench.heard().back() == "ready 5");
}

TEST_CASE("ModemLine of a fleet: a card that does not say its ICCID this time is the same SIM") {
    FleetLine bench;
    bench.told({});
    bench.says(ports::ModemIdentified{{.imsi = "208"}});
    bench.says(ports::ModemReady{{.imsi = "208"}});
    bench.store.answer<ports::IdentifySim>(SimId{5});
    bench.step();
    bench.counted("8933");
    CHECK(bench.shares.said.back() == "follow 8933");
}

TEST_CASE("ModemLine of a fleet: a card without any name sends by what this box has counted") {
    FleetLine bench;
    bench.says(ports::ModemIdentified{{}});
    bench.says(ports::ModemReady{{}});
    bench.store.answer<ports::IdentifySim>(SimId{5});
    bench.step();
    bench.counted("imsi:");
    CHECK(bench.shares.said.back() == "leave");
    CHECK(bench.heard().back() == "ready 5");
}

TEST_CASE("ModemLine of a fleet: a line that is handed over sends when the fleet has answered") {
    FleetLine bench;
    bench.clock.advance(1h);
    HeldShares shares;
    line::SimQuota quota{{.is_shared = true}, bench.clock};
    line::LineBoard board;
    NotingListener listener;
    line::ModemLine next{
        {.id = board.add("m0", "/dev/null", "default"), .name = "m0", .adopted = true},
        {bench.address, bench.modem, bench.store, listener, [] {}, bench.encoded, bench.slots,
         board, bench.clock, bench.log, bench.random, &quota, &shares}};
    next.adopt({.seat = {.iccid = "8933", .sim = SimId{5}}}, {.iccid = "8933"}, true, {});
    next.step(bench.clock.steady());
    bench.store.answer<ports::ReadQuota>(ports::UsedQuota{.card = "8933"});
    next.step(bench.clock.steady());
    CHECK(shares.said == Words{"follow on 8933"});
    CHECK(board.lines().front().reason == "sim_unread");
    CHECK(board.lines().front().link == ports::LinkState::pending);
    CHECK(listener.heard.empty());
    shares.tell({});
    next.step(bench.clock.steady());
    CHECK(listener.heard == Words{"ready 5"});
    CHECK(board.lines().front().link == ports::LinkState::active);
}

TEST_CASE("ModemLine of a fleet: what is said of the SIM before is not taken for the new one") {
    FleetLine bench;
    const auto of_first = bench.shares.tell;
    bench.inserted("8944");
    CHECK(bench.shares.said == Words{"follow 8933", "leave", "follow 8944"});
    of_first({});
    bench.step();
    CHECK(bench.heard().empty());
    bench.told({});
    CHECK(bench.heard() == Words{"ready 5"});
}
