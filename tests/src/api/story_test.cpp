#include "src/api/story/story.hpp"

#include "src/api/story/story_words.hpp"
#include "tests/support/error_table.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <string>

namespace smsrack::api {
namespace {

using namespace std::chrono_literals;

constexpr WallTime start{std::chrono::milliseconds(1'800'000'000'000)};

ports::AttemptRow attempt(std::uint16_t number, std::string modem, std::chrono::milliseconds at,
                          SubmitOutcome outcome) {
    return {.id = AttemptId{number},
            .number = number,
            .modem = std::move(modem),
            .started_at = start + at,
            .ended_at = start + at + 2'500ms,
            .outcome = outcome};
}

SubmitOutcome refused(int cms) {
    return {.kind = OutcomeKind::refused, .cause = {.kind = CodeKind::cms, .code = cms}};
}

Event event(MessageState state, std::chrono::milliseconds at, std::uint16_t number = 0,
            std::string detail = {}, Cause cause = {}) {
    return {.at = start + at,
            .state = state,
            .attempt = number,
            .cause = cause,
            .detail = std::move(detail)};
}

ports::MessageDetail message(MessageState state) {
    ports::MessageDetail detail;
    detail.message = {.id = MessageId{42},
                      .to = "+33612345678",
                      .state = state,
                      .group = "fr",
                      .created_at = start,
                      .expires_at = start + 24h};
    return detail;
}

std::string text_of(const Story& story) {
    std::string text;
    for (const StoryStep& step : story.steps) {
        text += step.what + "\n" + (step.advice.empty() ? "" : "> " + step.advice + "\n");
        for (const std::string& line : step.details) {
            text += "| " + line + "\n";
        }
    }
    return text;
}

}  // namespace

TEST_CASE("tell_story: failed twice, sent by the third line, delivered") {
    auto detail = message(MessageState::delivered);
    detail.attempts = {
        attempt(1, "m0", 10ms, refused(38)), attempt(2, "m1", 5s, refused(310)),
        attempt(3, "m2", 15s, {.kind = OutcomeKind::accepted, .tp_mr = 7, .has_tp_mr = true})};
    detail.attempts[1].notes = {
        {.kind = ports::NoteKind::dialogue, .text = "> AT+CMGS=20\n< +CMS ERROR: 310"},
        {.kind = ports::NoteKind::diagnosis, .text = "+CPIN: no"}};
    detail.history = {event(MessageState::queued, 0ms), event(MessageState::sending, 10ms, 1),
                      event(MessageState::sent, 17'500ms, 3),
                      event(MessageState::delivered, 20s, 3)};
    const Story story = tell_story(detail, test::error_table, {.why_group = "route +336"});
    REQUIRE(story.steps.size() == 5);
    CHECK(story.steps[0].what.starts_with(
        "Accepted: a text of 1 segment to +33612345678, priority 3, group fr (route +336)."));
    CHECK(
        story.steps[1].what ==
        "Attempt 1, by m0 (the first modem of group fr that was free). After 2.50 s it was refused "
        "with +CMS ERROR 38: network out of order. The network is at fault: it is tried again "
        "later.");
    CHECK(!story.steps[1].advice.empty());
    CHECK(story.steps[2].what.starts_with(
        "Attempt 2, by m1 (another modem than before (m0): it was free first)."));
    CHECK(story.steps[2].what.contains("another one takes the message"));
    CHECK(story.steps[2].details ==
          std::vector<std::string>{"the dialogue with the modem:", "  > AT+CMGS=20",
                                   "  < +CMS ERROR: 310",
                                   "what the modem says of itself:", "  +CPIN: no"});
    CHECK(story.steps[3].what.ends_with("The network took it after 2.50 s (reference 7)."));
    CHECK(story.steps[4].what == "The status report says that it was delivered.");
    CHECK(story.next == "Nothing more: the message is finished.");
}

TEST_CASE("tell_story: an unknown outcome, and what decides it") {
    auto detail = message(MessageState::uncertain);
    detail.message.due_at = start + 15min;
    detail.attempts = {attempt(1, "m0", 0ms, {.kind = OutcomeKind::unknown})};
    detail.history = {event(MessageState::queued, 0ms),
                      event(MessageState::uncertain, 2'500ms, 1, "no_answer")};
    const Story story = tell_story(detail, test::error_table, {.policy = "hold"});
    CHECK(text_of(story).contains("the modem gave no answer"));
    CHECK(story.steps.back().what.starts_with("It is uncertain. Whether the network took it"));
    CHECK(story.next.contains("an operator must"));
    CHECK(story.next.contains("Until 20"));
}

TEST_CASE("tell_story: what the network said when a message had been given up") {
    auto detail = message(MessageState::failed);
    detail.attempts = {attempt(1, "m0", 0ms, {.kind = OutcomeKind::unknown})};
    detail.attempts[0].notes = {
        {.kind = ports::NoteKind::late_report, .text = "status report, TP-Status 0: delivered"}};
    detail.history = {event(MessageState::queued, 0ms),
                      event(MessageState::failed, 900s, 1, "outcome_unknown")};
    CHECK(text_of(tell_story(detail, test::error_table, {}))
              .contains("| what the network said when the message had been given up:\n"
                        "|   status report, TP-Status 0: delivered\n"));
}

TEST_CASE("tell_story: a code that is ambiguous after the PDU, and came before it") {
    auto detail = message(MessageState::sending);
    detail.attempts = {attempt(1, "m0", 0ms, refused(500))};
    CHECK(text_of(tell_story(detail, test::error_table, {})).contains("That passes"));
    detail.attempts[0].outcome.kind = OutcomeKind::unknown;
    CHECK(text_of(tell_story(detail, test::error_table, {})).contains("may have gone out"));
}

TEST_CASE("tell_story: what waits says for what, and which lines can't") {
    const std::vector<ports::LineView> lines{
        {.name = "m0", .group = "fr", .link = ports::LinkState::active},
        {.name = "m1", .group = "fr", .reason = "sim_pin"},
        {.name = "m2", .group = "de", .link = ports::LinkState::active}};
    auto detail = message(MessageState::queued);
    CHECK(tell_story(detail, test::error_table, {.lines = lines}).next ==
          "The next free modem sends it; 1 of 2 modems of group fr can send now (m1: sim_pin).");
    detail.message.state = MessageState::scheduled;
    detail.message.due_at = start + 1h;
    CHECK(tell_story(detail, test::error_table, {.lines = lines})
              .next.starts_with("It is queued at 20"));
    detail.message.body.part = PartPlace{.total = 3, .number = 2};
    CHECK(tell_story(detail, test::error_table, {.lines = lines})
              .next.starts_with("It is part 2 of 3. It is queued in its turn when all parts are "
                                "there, or at 20"));
    detail.message.due_at.reset();
    CHECK(tell_story(detail, test::error_table, {.lines = lines}).next ==
          "It is part 2 of 3. It is queued when the part before it is sent or has ended.");
    detail.message.due_at = start + 1h;
    detail.message.state = MessageState::sending;
    CHECK(tell_story(detail, test::error_table, {.lines = lines})
              .next.starts_with("The next attempt is due at 20"));
}

TEST_CASE("tell_story: a message whose status report did not come says so, and waits no more") {
    auto detail = message(MessageState::sent);
    detail.attempts = {attempt(1, "m0", 0ms, {.kind = OutcomeKind::accepted})};
    detail.history = {event(MessageState::queued, 0ms), event(MessageState::sent, 2'500ms, 1)};
    CHECK(tell_story(detail, test::error_table, {}).next ==
          "Its status report; without one, `sent` is final.");
    detail.message.detail = no_report_came;
    detail.history.push_back(event(MessageState::sent, 72h, 0, std::string(no_report_came)));
    const Story story = tell_story(detail, test::error_table, {});
    CHECK(story.next == "Nothing more: its status report did not come.");
    CHECK(story.steps.back().what.starts_with("The network has it. No status report came in time"));
}

TEST_CASE("tell_story: a message that was replaced says so") {
    auto detail = message(MessageState::queued);
    detail.history = {event(MessageState::queued, 0ms),
                      event(MessageState::queued, 1s, 0, "replaced")};
    CHECK(text_of(tell_story(detail, test::error_table, {}))
              .contains("It is queued. Its sender has given it another content."));
}

TEST_CASE("tell_story: how a message rose while it waited, until a line had it") {
    auto detail = message(MessageState::queued);
    detail.message.level = 4;
    detail.history = {event(MessageState::scheduled, -1h), event(MessageState::queued, 0ms)};
    StoryWorld world{.now = start + 15s};
    CHECK(tell_story(detail, test::error_table, world).steps.size() == 2);
    world.now = start + 1h;
    const Story story = tell_story(detail, test::error_table, world);
    REQUIRE(story.steps.size() == 4);
    CHECK(story.steps[2].at == start + 15s);
    CHECK(story.steps[2].what == "It had waited 15 s at level 4, and was promoted to level 5.");
    CHECK(story.steps[3].at == start + 20s);
    CHECK(story.steps[3].what ==
          "It had waited 5.00 s at level 5, and was promoted to level 6: every 8th there is a "
          "promoted one.");

    detail.message.state = MessageState::sending;
    detail.attempts = {attempt(1, "m0", 18s, {})};
    CHECK(tell_story(detail, test::error_table, world).steps.size() == 4);
    world.ageing.on = false;
    CHECK(tell_story(detail, test::error_table, world).steps.size() == 3);
}

TEST_CASE(
    "tell_story: a line that rests is none that can send, and a message waits where no line has "
    "it") {
    const std::vector<ports::LineView> lines{{.name = "m0",
                                              .group = "fr",
                                              .link = ports::LinkState::active,
                                              .pause = ports::LinePause{.reason = "quota"}},
                                             {.name = "m1",
                                              .group = "fr",
                                              .link = ports::LinkState::active,
                                              .pause = ports::LinePause{.reason = "cooling"}}};
    auto detail = message(MessageState::sending);
    detail.attempts = {attempt(1, "m0", 0ms, {.kind = OutcomeKind::accepted})};
    CHECK(tell_story(detail, test::error_table, {.lines = lines}).next ==
          "It waits until a modem can send: 0 of 2 modems of group fr can send now (m0: quota, m1: "
          "cooling).");
    detail.attempts.push_back(attempt(2, "m0", 3s, {.kind = OutcomeKind::open}));
    CHECK(tell_story(detail, test::error_table, {.lines = lines}).next ==
          "A modem has it in flight; its answer decides.");
}

TEST_CASE(
    "tell_story: each segment of a long message stays with one SIM, and is named by its number") {
    auto detail = message(MessageState::undelivered);
    detail.message.segments = 2;
    detail.attempts = {attempt(1, "m0", 0ms, {.kind = OutcomeKind::accepted}),
                       attempt(2, "m0", 3s, {.kind = OutcomeKind::accepted})};
    detail.attempts[1].segment = 1;
    detail.history = {
        event(MessageState::queued, 0ms),
        event(MessageState::undelivered, 9s, 2, "", {.kind = CodeKind::tp_status, .code = 0x49})};
    detail.history[1].segment = 1;
    const std::string text = text_of(tell_story(detail, test::error_table, {}));
    CHECK(text.contains(
        "Attempt 2, segment 2 of 2, by m0 (the segments of a message stay with one SIM)."));
    CHECK(text.contains(
        "Segment 2: The status report says that it can't be delivered. It says status 0x49"));
}

TEST_CASE("tell_story: every state has its words, and unknown words are shown as they are") {
    for (std::size_t i = 0; i < message_state_count; ++i) {
        const auto state = static_cast<MessageState>(i);
        CAPTURE(message_state_name(state));
        auto detail = message(state);
        detail.history = {event(MessageState::queued, 0ms), event(state, 1s, 0, "brand_new_word")};
        const Story story = tell_story(detail, test::error_table, {});
        CHECK(!story.next.empty());
        CHECK(text_of(story).contains("brand_new_word"));
    }
    for (int i = 0; i <= static_cast<int>(CauseClass::bug); ++i) {
        CHECK(consequence_words(static_cast<CauseClass>(i)).empty() == (i == 0));
    }
}

TEST_CASE(
    "tell_story: the limit that ended a message is the one of its code, or that of the queue") {
    struct Case {
        const char* what;
        std::vector<SubmitOutcome> ends;
        std::int64_t retry_limit;
        const char* says;
    };
    for (const Case& one : {
             Case{"a code that is given two tries",
                  {refused(127), refused(127)},
                  3,
                  "2 attempts ended in this code, and it is given no more (`tries` of the code in "
                  "the error table; `retry_limit` would allow 3)."},
             Case{"three failures of three",
                  {refused(38), refused(310), refused(38)},
                  3,
                  "3 attempts failed, and `retry_limit` allows no more."},
             Case{"a line that died before anything left does not count",
                  {{.kind = OutcomeKind::not_sent}, refused(38), refused(38)},
                  2,
                  "2 attempts failed, and `retry_limit` allows no more."},
             Case{"a limit that was raised since",
                  {refused(38), refused(38)},
                  5,
                  "2 attempts failed, and `retry_limit` allowed no more at that time."},
         }) {
        CAPTURE(one.what);
        auto detail = message(MessageState::failed);
        std::uint16_t number = 0;
        for (const SubmitOutcome& end : one.ends) {
            ++number;
            detail.attempts.push_back(attempt(number, "m0", number * 10s, end));
        }
        detail.history = {event(MessageState::queued, 0ms),
                          event(MessageState::failed, number * 10s + 2'500ms, number,
                                "retries_spent", one.ends.back().cause)};
        const Story story = tell_story(detail, test::error_table, {.retry_limit = one.retry_limit});
        CHECK(story.steps.back().what == std::string("It has failed. ") + one.says);
        // The last attempt promises no further one.
        CHECK_FALSE(story.steps[number].what.contains("tried again"));
    }
}

TEST_CASE("tell_story: an answer that leaves it open is never called a refusal") {
    auto detail = message(MessageState::uncertain);
    detail.attempts = {attempt(1, "m0", 0ms, refused(500))};
    detail.history = {event(MessageState::queued, 0ms),
                      event(MessageState::uncertain, 2'500ms, 1, "no_answer")};
    for (const OutcomeKind kind : {OutcomeKind::refused, OutcomeKind::unknown}) {
        detail.attempts[0].outcome.kind = kind;
        const std::string text = text_of(tell_story(detail, test::error_table, {}));
        CAPTURE(text);
        CHECK(text.contains("After 2.50 s it answered +CMS ERROR 500"));
        CHECK(text.contains("may have gone out"));
        CHECK_FALSE(text.contains("refused"));
        CHECK_FALSE(text.contains("tried again"));
    }
}

TEST_CASE("tell_story: drained, parked and missing lines are named, with the command that helps") {
    using ports::LineView;
    using ports::LinkState;
    using ports::ManualState;
    const LineView drained{.name = "m0",
                           .group = "fr",
                           .link = LinkState::active,
                           .manual = ManualState::blocked,
                           .drained = true};
    const LineView parked{.name = "m1",
                          .group = "fr",
                          .link = LinkState::active,
                          .manual = ManualState::blocked,
                          .parked = true};
    const LineView broken{.name = "m2", .group = "fr", .reason = "sim_pin"};
    const LineView able{.name = "m3", .group = "fr", .link = LinkState::active};
    const auto next = [](MessageState state, std::vector<LineView> lines) {
        return tell_story(message(state), test::error_table, {.lines = lines}).next;
    };
    for (const MessageState state : {MessageState::queued, MessageState::sending}) {
        CHECK(
            next(state, {drained, broken}) ==
            "It waits until a modem can send: 0 of 2 modems of group fr can send now (m0: drained "
            "by an operator, m2: sim_pin). `smsrack modem resume m0` gives that modem work "
            "again.");
        CHECK(next(state, {}) ==
              "It waits: no modem of the configuration is in group fr, so nothing sends it.");
    }
    CHECK(next(MessageState::queued, {drained, parked, able}) ==
          "The next free modem sends it; 1 of 3 modems of group fr can send now (m0: drained by an "
          "operator, m1: parked by scaling).");
}

TEST_CASE(
    "tell_story: quiet hours are the reason why a message has a time that the client did not "
    "name") {
    auto detail = message(MessageState::scheduled);
    detail.message.due_at = start + 8h;
    CHECK(tell_story(detail, test::error_table, {.quiet_until_due = true})
              .next.ends_with(", when the quiet hours end."));
    CHECK_FALSE(tell_story(detail, test::error_table, {}).next.contains("quiet"));
    detail.message.state = MessageState::sending;
    detail.message.due_at.reset();
    CHECK(tell_story(detail, test::error_table, {.waits = "quiet hours until 06:00"}).next ==
          "The next attempt waits: quiet hours until 06:00.");
}

TEST_CASE("duration_words: as exact as a person wants it") {
    CHECK(duration_words(320ms) == "0.32 s");
    CHECK(duration_words(12'345ms) == "12 s");
    CHECK(duration_words(180s) == "3 min");
    CHECK(duration_words(5h) == "5 h");
    CHECK(duration_words(72h) == "3 days");
}

}  // namespace smsrack::api
