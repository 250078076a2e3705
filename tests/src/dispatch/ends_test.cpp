#include "src/dispatch/ends.hpp"

#include "tests/support/error_table.hpp"
#include "tests/support/seeded_random.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

constexpr WallTime noon = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1} + 12h;

SubmitOutcome refused(int cms) {
    return {.kind = OutcomeKind::refused, .cause = {CodeKind::cms, cms}};
}

struct Judge {
    test::SeededRandom random{1};
    dispatch::Ends ends{
        test::error_table, {.limit = 3, .base = 5s, .uncertain_after = 900s}, random};

    dispatch::Ended submitted(const SubmitOutcome& outcome, std::uint16_t failures = 0) {
        OutMessage message;
        message.id = MessageId{42};
        message.failures = failures;
        return ends.submitted(
            {.segment = 1, .attempt = AttemptId{7}, .outcome = outcome, .pdu_sent = true}, message,
            noon);
    }
    std::optional<dispatch::Ended> found(const SubmitOutcome& outcome) {
        return ends.found({.attempt = AttemptId{7}, .message = MessageId{42}, .segment = 1},
                          outcome, "late_answer", noon);
    }
};

}  // namespace

TEST_CASE("Ends: each end names its attempt and becomes a row") {
    Judge judge;
    const auto ended = judge.submitted({.kind = OutcomeKind::accepted});
    CHECK(ended.end.attempt == AttemptId{7});
    CHECK(ended.end.message == MessageId{42});
    CHECK(ended.end.segment == 1);
    CHECK(ended.end.at == noon);
}

TEST_CASE("Ends: what follows the end of a segment") {
    struct Row {
        const char* what;
        SubmitOutcome outcome;
        std::uint16_t failures;
        MessageEvent event;
        OutcomeKind written;
        bool is_retry;
        bool is_doubt;
        bool is_bug;
        bool ends_message;
        std::chrono::milliseconds line_rest;
    };
    for (const Row& row : {
             Row{"taken",
                 {.kind = OutcomeKind::accepted},
                 0,
                 MessageEvent::accepted,
                 OutcomeKind::accepted,
                 false,
                 false,
                 false,
                 false,
                 0s},
             Row{"silence is a doubt",
                 {.kind = OutcomeKind::unknown},
                 0,
                 MessageEvent::silence,
                 OutcomeKind::unknown,
                 false,
                 true,
                 false,
                 false,
                 0s},
             Row{"so is an ambiguous code", refused(332), 0, MessageEvent::silence,
                 OutcomeKind::unknown, false, true, false, false, 0s},
             Row{"congestion is tried again, after a short rest of the line", refused(42), 0,
                 MessageEvent::not_sent, OutcomeKind::refused, true, false, false, false, 3s},
             Row{"a barred SIM rests longer", refused(8), 0, MessageEvent::not_sent,
                 OutcomeKind::refused, true, false, false, false, 10s},
             Row{"the limit of retries is reached", refused(42), 2, MessageEvent::give_up,
                 OutcomeKind::refused, false, false, false, true, 3s},
             Row{"an unassigned number", refused(1), 0, MessageEvent::give_up, OutcomeKind::refused,
                 false, false, false, true, 0s},
             Row{"a wrong PDU", refused(304), 0, MessageEvent::give_up, OutcomeKind::refused, false,
                 false, true, true, 0s},
         }) {
        CAPTURE(row.what);
        Judge judge;
        const auto ended = judge.submitted(row.outcome, row.failures);
        CHECK(ended.end.event == row.event);
        CHECK(ended.end.outcome.kind == row.written);
        CHECK(ended.is_retry == row.is_retry);
        CHECK((ended.end.event == MessageEvent::silence) == row.is_doubt);
        CHECK(ended.is_bug == row.is_bug);
        CHECK(ended.end.ends_message == row.ends_message);
        CHECK(ended.line_rest == row.line_rest);
        CHECK(ended.end.due_at.has_value() == (row.is_retry || row.is_doubt));
    }
}

TEST_CASE("Ends: a doubt is looked at when the policy says so, a retry after its pause") {
    Judge judge;
    CHECK(judge.submitted({.kind = OutcomeKind::unknown}).end.due_at == noon + 900s);
    const auto retry = judge.submitted(refused(42)).end.due_at;
    REQUIRE(retry);
    CHECK(*retry > noon);
    CHECK(*retry < noon + 1h);
}

TEST_CASE("Ends: evidence settles a doubt, and what is left of the message is due") {
    Judge judge;
    const auto taken = judge.found({.kind = OutcomeKind::accepted});
    REQUIRE(taken);
    CHECK(taken->end.event == MessageEvent::accepted);
    CHECK(taken->end.due_at == noon);
    CHECK(taken->end.detail == "late_answer");
    const auto not_taken = judge.found(refused(42));
    REQUIRE(not_taken);
    CHECK(not_taken->end.event == MessageEvent::not_sent);
    CHECK(not_taken->end.due_at > noon);
}

TEST_CASE("Ends: what proves nothing leaves the doubt as it is") {
    Judge judge;
    CHECK_FALSE(judge.found({.kind = OutcomeKind::unknown}));
    CHECK_FALSE(judge.found({.kind = OutcomeKind::open}));
    CHECK_FALSE(judge.found(refused(332)));
}

TEST_CASE("Ends: a doubt that lasted too long ends the message as failed") {
    const auto end = dispatch::Ends::given_up(
        {.attempt = AttemptId{7}, .message = MessageId{42}, .segment = 1}, noon);
    CHECK(end.event == MessageEvent::give_up);
    CHECK(end.outcome.kind == OutcomeKind::unknown);
    CHECK(end.ends_message);
    CHECK(end.segment == 1);
}
