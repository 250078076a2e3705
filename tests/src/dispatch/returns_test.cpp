#include "src/dispatch/returns.hpp"

#include "tests/src/dispatch/desk_rig.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace std::chrono_literals;
using dispatch::UncertainPolicy;

namespace {

struct ReturnsRig : test::DeskRig {
    std::vector<ModemId> went_on;
    std::vector<ModemId> cooled;
    dispatch::Returns returns;
    const ModemId line_5 = line(SimId{5});

    explicit ReturnsRig(UncertainPolicy policy = UncertainPolicy::report)
        : returns({.uncertain = policy}, world, desk, lines, mailbox,
                  {.go_on = [this](ModemId line) { went_on.push_back(line); },
                   .cools = [this](ModemId line, Cause,
                                   std::chrono::milliseconds) { cooled.push_back(line); }}) {}

    /// The line had the message, and this came of it.
    void ends(OutMessage message, SubmitOutcome outcome, bool returned = true) {
        lines.give(line_5);
        returns.segment_ended(line_5,
                              {.slot = adopt(std::move(message)),
                               .attempt = AttemptId{7},
                               .outcome = outcome,
                               .pdu_sent = true,
                               .returned = returned},
                              now());
    }
    void does_not_begin(OutMessage message, Errc why, std::uint8_t segment = 1) {
        lines.give(line_5);
        returns.segment_ended(line_5,
                              {.slot = adopt(std::move(message)),
                               .segment = segment,
                               .begin_error = Error{.code = why}},
                              now());
    }
    void overdue(std::size_t count) {
        (void)desk.due.doubts.ask(clock.wall());
        returns.overdue({std::vector<ports::UncertainAttempt>(count)});
    }
};

constexpr SubmitOutcome taken{.kind = OutcomeKind::accepted, .tp_mr = 1, .has_tp_mr = true};
constexpr SubmitOutcome congested{.kind = OutcomeKind::refused,
                                  .cause = {.kind = CodeKind::cms, .code = 42}};

}  // namespace

TEST_CASE("Returns: an end is written, and the message leaves memory") {
    ReturnsRig rig;
    rig.ends(rig.message(1), taken);
    REQUIRE(rig.store.posted<ports::EndAttempt>().size() == 1);
    CHECK(rig.store.posted<ports::EndAttempt>()[0].command.event == MessageEvent::accepted);
    CHECK(rig.slots.free() == rig.slots.size());
    CHECK_FALSE(rig.lines[rig.line_5].holds);
    CHECK(rig.went_on.empty());
}

TEST_CASE("Returns: the line continues with the next segment, by the same SIM") {
    ReturnsRig rig;
    rig.ends(rig.message(1), taken, false);
    CHECK(rig.went_on == std::vector{rig.line_5});
    CHECK(rig.slots.free() == rig.slots.size() - 1);
    CHECK(rig.lines[rig.line_5].holds);
}

TEST_CASE("Returns: a SIM that is refused too often rests, and each message is due again") {
    ReturnsRig rig;
    for (int i = 1; i <= 3; ++i) {
        CHECK(rig.cooled.empty());
        rig.ends(rig.message(i), congested);
        CHECK(rig.store.posted<ports::EndAttempt>().back().command.due_at);
    }
    CHECK(rig.cooled == std::vector{rig.line_5});
    CHECK(rig.stats.value(stats::Counter::retries) == 3);
}

TEST_CASE("Returns: a message whose attempt the store refuses waits, and its group with it") {
    ReturnsRig rig;
    rig.does_not_begin(rig.message(1), Errc::storage);
    CHECK(rig.desk.groups[0].held_until == rig.now() + dispatch::storage_pause);
    CHECK(rig.desk.groups[0].waiting.size(3) == 1);
    CHECK(rig.store.posted<ports::EndAttempt>().empty());
}

TEST_CASE(
    "Returns: a message that the disk refused at its first attempt is let go and read again") {
    ReturnsRig rig;
    OutMessage first = rig.message(1);
    first.attempts = 0;
    rig.does_not_begin(first, Errc::storage, 0);
    CHECK(rig.slots.free() == rig.slots.size());
    CHECK(rig.desk.groups[0].held_until == rig.now() + dispatch::storage_pause);
}

TEST_CASE("Returns: a message that may not be sent any more is put back") {
    ReturnsRig rig;
    rig.does_not_begin(rig.message(1), Errc::conflict);
    CHECK(rig.store.answer<ports::PutBack>({}).message == MessageId{1});
    CHECK(rig.slots.free() == rig.slots.size());
    CHECK(rig.desk.groups[0].held_until <= rig.now());
}

TEST_CASE("Returns: a late answer ends the doubt, unless it is one itself") {
    ReturnsRig rig;
    rig.returns.late_answer({.attempt = AttemptId{7}, .message = MessageId{1}, .outcome = taken});
    REQUIRE(rig.store.posted<ports::EndAttempt>().size() == 1);
    CHECK(rig.store.posted<ports::EndAttempt>()[0].command.detail == "late_answer");
    rig.returns.late_answer({.attempt = AttemptId{8}, .outcome = {.kind = OutcomeKind::unknown}});
    CHECK(rig.store.posted<ports::EndAttempt>().size() == 1);
}

TEST_CASE("Returns: doubts are decided by the policy, and the question stays open until they are") {
    SUBCASE("they fail") {
        ReturnsRig rig;
        rig.overdue(2);
        REQUIRE(rig.store.posted<ports::EndAttempt>().size() == 2);
        CHECK(rig.store.answer<ports::EndAttempt>(ports::AttemptApplied{}).event ==
              MessageEvent::give_up);
        rig.deliver();
        CHECK(rig.count<dispatch::DoubtsDecided>() == 0);
        rig.store.answer<ports::EndAttempt>(ports::AttemptApplied{});
        rig.deliver();
        CHECK(rig.count<dispatch::DoubtsDecided>() == 1);
        CHECK(rig.desk.due.doubts.is_open());
    }
    SUBCASE("they are sent again; what the disk refuses, the next sweep finds") {
        ReturnsRig rig(UncertainPolicy::resend);
        rig.overdue(1);
        rig.store.answer<ports::ResendSegment>(fail(Errc::storage, "full"));
        rig.deliver();
        CHECK(rig.count<dispatch::DoubtsDecided>() == 1);
    }
    SUBCASE("a person decides") {
        ReturnsRig rig(UncertainPolicy::hold);
        rig.overdue(64);
        CHECK(rig.store.posted<ports::EndAttempt>().empty());
        CHECK_FALSE(rig.desk.due.doubts.is_open());
    }
    SUBCASE("there are none") {
        ReturnsRig rig;
        rig.overdue(0);
        CHECK_FALSE(rig.desk.due.doubts.is_open());
    }
}

TEST_CASE(
    "Returns: a begun message whose SIM does not come back fails, or all of it is sent again") {
    for (const auto policy : {UncertainPolicy::report, UncertainPolicy::resend}) {
        ReturnsRig rig(policy);
        rig.due({rig.begun(1, SimId{9}), rig.begun(2, SimId{5})});
        rig.clock.advance(31s);
        rig.returns.drop_lost(rig.now());
        const bool again = policy == UncertainPolicy::resend;
        REQUIRE(rig.store.posted<ports::RestartMessage>().size() == (again ? 1 : 0));
        REQUIRE(rig.store.posted<ports::FinishMessage>().size() == (again ? 0 : 1));
        CHECK((again
                   ? rig.store.posted<ports::RestartMessage>()[0].command.message
                   : rig.store.posted<ports::FinishMessage>()[0].command.message) == MessageId{1});
        CHECK(rig.desk.begun.keeps(SimId{5}));  // a line has it
    }
}
