#include "src/dispatch/retry.hpp"

#include "tests/support/error_table.hpp"
#include "tests/support/seeded_random.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace smsrack;
using namespace smsrack::dispatch;
using namespace std::chrono_literals;
using test::error_table;

namespace {

SubmitOutcome refused(int cms) {
    return {.kind = OutcomeKind::refused, .cause = {CodeKind::cms, cms}};
}

PastAttempt past(int cms, std::uint8_t segment = 0) {
    return {.segment = segment, .outcome = OutcomeKind::refused, .cause = {CodeKind::cms, cms}};
}

const PastAttempt doubt{.outcome = OutcomeKind::unknown};

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
                 true},
             Row{"until the limit", refused(42), true, 2, MessageEvent::give_up, true, true},
             Row{"a congested line rests too", refused(42), true, 0, MessageEvent::not_sent, false,
                 true},
             Row{"a barred SIM rests, the message continues", refused(8), true, 0,
                 MessageEvent::not_sent, false, true},
             Row{"refused as a duplicate, of nothing that was sent before", refused(197), true, 1,
                 MessageEvent::give_up, true, false},
             Row{"a lost line costs no attempt",
                 {.kind = OutcomeKind::not_sent},
                 false,
                 2,
                 MessageEvent::not_sent,
                 false,
                 false},
         }) {
        CAPTURE(row.so);
        const Verdict verdict =
            judge({.outcome = row.outcome, .pdu_sent = row.pdu_sent, .failures = row.failures},
                  error_table, settings, random);
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
            const auto pause =
                *judge({.outcome = refused(42), .pdu_sent = true, .failures = failures},
                       error_table, settings, random)
                     .due_in;
            CHECK(pause >= expected * 3 / 4);
            CHECK(pause <= expected * 5 / 4);
        }
    }
}

TEST_CASE("judge: under the policy hold a doubt has no end by itself") {
    test::SeededRandom random(3);
    const Verdict verdict = judge({.outcome = {.kind = OutcomeKind::unknown}, .pdu_sent = true},
                                  error_table, {.uncertain = UncertainPolicy::hold}, random);
    CHECK(verdict.event == MessageEvent::silence);
    CHECK_FALSE(verdict.due_in);
}

TEST_CASE("judge: every row of the table, before and after its PDU, has the end of its class") {
    test::SeededRandom random(4);
    const RetrySettings settings{.limit = 100, .base = 5s};
    for (const CauseRow& row : error_table.rows()) {
        if (row.kind == CodeKind::tp_status) {
            continue;
        }
        for (const bool pdu_sent : {false, true}) {
            for (const int code : {row.first, row.last}) {
                CAPTURE(static_cast<int>(row.kind));
                CAPTURE(code);
                CAPTURE(pdu_sent);
                const Cause cause{row.kind, code};
                const CauseInfo& info = error_table.info(cause);
                const Verdict verdict =
                    judge({.outcome = {.kind = OutcomeKind::refused, .cause = cause},
                           .pdu_sent = pdu_sent},
                          error_table, settings, random);
                CHECK(verdict.cause_class == info.class_of(pdu_sent));
                const bool tried_again = info.tries.value_or(1) > 1;
                switch (verdict.cause_class) {
                    case CauseClass::ambiguous:
                        CHECK(verdict.event == MessageEvent::silence);
                        break;
                    case CauseClass::permanent:
                    case CauseClass::bug:
                        CHECK(verdict.event ==
                              (tried_again ? MessageEvent::not_sent : MessageEvent::give_up));
                        CHECK(verdict.ends_message != tried_again);
                        CHECK_FALSE(verdict.rest_line);
                        break;
                    case CauseClass::modem:
                    case CauseClass::quota:
                    case CauseClass::network:
                        CHECK(verdict.event == MessageEvent::not_sent);
                        CHECK(verdict.rest_line);
                        break;
                    case CauseClass::none:
                    case CauseClass::transient:
                        CHECK(verdict.event == MessageEvent::not_sent);
                        CHECK_FALSE(verdict.rest_line);
                        break;
                }
            }
        }
    }
}

TEST_CASE("judge: what was tried before decides the special codes") {
    test::SeededRandom random(5);
    const RetrySettings settings{.limit = 100, .base = 5s};
    struct Row {
        const char* so;
        int cms;
        std::vector<PastAttempt> past;
        MessageEvent event;
    };
    for (const Row& row : {
             Row{"255 passes once", 255, {}, MessageEvent::not_sent},
             Row{"not twice", 255, {past(255)}, MessageEvent::give_up},
             Row{"another cause before does not count", 255, {past(42)}, MessageEvent::not_sent},
             Row{"nor the same of another segment", 255, {past(255, 1)}, MessageEvent::not_sent},
             Row{"21 passes once", 21, {}, MessageEvent::not_sent},
             Row{"not twice, whatever came between",
                 21,
                 {past(42), past(21)},
                 MessageEvent::give_up},
             Row{"127 not twice", 127, {past(127)}, MessageEvent::give_up},
             Row{"a bad validity period is asked for once", 198, {}, MessageEvent::not_sent},
             Row{"not twice", 198, {past(198)}, MessageEvent::give_up},
             Row{"a duplicate after a doubt had arrived", 197, {doubt}, MessageEvent::accepted},
             Row{"but not after a refusal", 197, {past(42)}, MessageEvent::give_up},
         }) {
        CAPTURE(row.so);
        const Verdict verdict =
            judge({.outcome = refused(row.cms), .pdu_sent = true, .past = row.past}, error_table,
                  settings, random);
        CHECK(verdict.event == row.event);
    }
}

TEST_CASE("judge: a late 197 proves that its own attempt had arrived") {
    test::SeededRandom random(6);
    const Verdict verdict = judge({.outcome = refused(197), .pdu_sent = true, .in_doubt = true},
                                  error_table, {}, random);
    CHECK(verdict.event == MessageEvent::accepted);
}

TEST_CASE("judge: pauses of a row's own, and none for a message that moves to another line") {
    test::SeededRandom random(7);
    struct Row {
        const char* so;
        int cms;
        std::uint16_t failures;
        std::chrono::milliseconds least;
        std::chrono::milliseconds most;
    };
    for (const Row& row : {
             Row{"a phone that is off gets minutes", 27, 0, 225s, 375s},
             Row{"and twice as many", 27, 1, 450s, 750s},
             Row{"a busy SIM seconds", 314, 0, 1'500ms, 2'500ms},
             Row{"a barred SIM's message moves at once", 8, 0, 200ms, 200ms},
             Row{"but does not run around", 8, 1, 7'500ms, 12'500ms},
         }) {
        CAPTURE(row.so);
        const auto pause =
            judge({.outcome = refused(row.cms), .pdu_sent = true, .failures = row.failures},
                  error_table, {.limit = 100, .base = 5s}, random)
                .due_in;
        REQUIRE(pause);
        CHECK(*pause >= row.least);
        CHECK(*pause <= row.most);
    }
}

TEST_CASE("without_validity: only after the codes whose rows say so") {
    CHECK_FALSE(without_validity({}, error_table));
    const std::vector<PastAttempt> other{past(42), doubt};
    CHECK_FALSE(without_validity(other, error_table));
    const std::vector<PastAttempt> refused_for_it{past(42), past(199)};
    CHECK(without_validity(refused_for_it, error_table));
}
