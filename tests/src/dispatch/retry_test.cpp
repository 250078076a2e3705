#include "src/dispatch/retry.hpp"

#include "tests/support/seeded_random.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace smsrack::dispatch;
using namespace std::chrono_literals;

namespace {

SubmitOutcome refused(int cms) {
    return {.kind = OutcomeKind::refused, .cause = {CodeKind::cms, cms}};
}

}  // namespace

TEST_CASE("judge: what follows each end of a submit") {
    test::SeededRandom random(1);
    const RetrySettings settings{.limit = 3, .base = 5s, .uncertain_after = 900s};
    struct Row {
        const char* so;
        SubmitOutcome outcome;
        bool pdu_sent;
        std::uint16_t failures;
        MessageEvent event;
        bool ends_message;
        bool rest_line;
    };
    for (const Row& row : {
             Row{"taken",
                 {.kind = OutcomeKind::accepted},
                 true,
                 0,
                 MessageEvent::accepted,
                 false,
                 false},
             Row{"silence is a doubt",
                 {.kind = OutcomeKind::unknown},
                 true,
                 0,
                 MessageEvent::silence,
                 false,
                 false},
             Row{"an ambiguous code is a doubt", refused(332), true, 0, MessageEvent::silence,
                 false, false},
             Row{"500 before the PDU is tried again",
                 {.kind = OutcomeKind::not_sent, .cause = {CodeKind::cms, 500}},
                 false,
                 0,
                 MessageEvent::not_sent,
                 false,
                 false},
             Row{"a permanent code ends it", refused(1), true, 0, MessageEvent::give_up, true,
                 false},
             Row{"our mistake ends it", refused(304), true, 0, MessageEvent::give_up, true, false},
             Row{"congestion is tried again", refused(42), true, 1, MessageEvent::not_sent, false,
                 false},
             Row{"until the limit", refused(42), true, 2, MessageEvent::give_up, true, false},
             Row{"a barred SIM rests, the message goes on", refused(8), true, 0,
                 MessageEvent::not_sent, false, true},
             Row{"refused as a duplicate: it had arrived", refused(197), true, 1,
                 MessageEvent::accepted, false, false},
             Row{"a lost line costs no attempt",
                 {.kind = OutcomeKind::not_sent},
                 false,
                 2,
                 MessageEvent::not_sent,
                 false,
                 false},
         }) {
        CAPTURE(row.so);
        const Verdict verdict = judge(row.outcome, row.pdu_sent, row.failures, settings, random);
        CHECK(verdict.event == row.event);
        CHECK(verdict.ends_message == row.ends_message);
        CHECK(verdict.rest_line == row.rest_line);
        CHECK(verdict.due_in.has_value() ==
              (row.event == MessageEvent::not_sent || row.event == MessageEvent::silence));
    }
}

TEST_CASE("judge: pauses double, with a jitter of a quarter, to an hour at most") {
    test::SeededRandom random(2);
    const RetrySettings settings{.limit = 100, .base = 5s};
    for (std::uint16_t failures = 0; failures < 20; ++failures) {
        const auto expected = std::min<std::chrono::milliseconds>(5s * (1 << failures), 1h);
        for (int i = 0; i < 50; ++i) {
            const auto pause = *judge(refused(42), true, failures, settings, random).due_in;
            CHECK(pause >= expected * 3 / 4);
            CHECK(pause <= expected * 5 / 4);
        }
    }
}

TEST_CASE("judge: under the policy hold a doubt has no end by itself") {
    test::SeededRandom random(3);
    const Verdict verdict = judge({.kind = OutcomeKind::unknown}, true, 0,
                                  {.uncertain = UncertainPolicy::hold}, random);
    CHECK(verdict.event == MessageEvent::silence);
    CHECK_FALSE(verdict.due_in);
}
