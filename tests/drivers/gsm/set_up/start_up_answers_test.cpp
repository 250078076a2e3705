#include "drivers/gsm/set_up/start_up_answers.hpp"

#include <doctest/doctest.h>

namespace smsrack::gsm {
namespace {

constexpr Profile counts_events{.event_mask = {.wanted = 1 + 8 + 16384, .older_max = 4095}};

struct AnswersBench {
    void hears(InitStep step, std::string_view line) {
        answers.ask(step);
        answers.take(line);
    }

    Facts facts;
    StartUpAnswers answers{counts_events, facts};
};

}  // namespace

TEST_CASE("StartUpAnswers: an older firmware is not asked for events that it can't have") {
    struct Case {
        const char* what;
        const char* line;
        bool lacks;
        unsigned all;
        unsigned older;
    };
    for (const Case& c : {
             Case{"all are on", "+WIND: 16393", false, 16393, 9},
             Case{"all and others", "+WIND: 16395", false, 16395, 11},
             Case{"none", "+WIND: 0", true, 16393, 9},
             Case{"the newest is missing, and can't be had", "+WIND: 9", false, 16393, 9},
             Case{"one of the oldest is missing", "+WIND: 3", true, 16395, 11},
             Case{"a newer firmware without the oldest", "+WIND: 16384", true, 16393, 9},
         }) {
        CAPTURE(c.what);
        AnswersBench bench;
        bench.hears(InitStep::events, c.line);
        CHECK(bench.answers.lacks_events() == c.lacks);
        CHECK(bench.answers.event_sum(InitStep::events_on) == c.all);
        CHECK(bench.answers.event_sum(InitStep::events_on_older) == c.older);
    }
}

TEST_CASE("StartUpAnswers: a modem that boots otherwise is made to keep its settings, once") {
    struct Case {
        const char* what;
        const char* service;
        const char* notify;
        bool needless;
    };
    for (const Case& c : {
             Case{"as the set-up has it", "+CSMS: 1,1,1,1", "+CNMI: 2,1,0,2,0", true},
             Case{"it does not say", "+CSMS: ", "+CNMI: ", true},
             Case{"reports are discarded", "+CSMS: 1,1,1,1", "+CNMI: 2,1,0,0,0", false},
             Case{"messages are discarded", "+CSMS: 1,1,1,1", "+CNMI: 2,0,0,2,0", false},
             Case{"nothing is confirmed", "+CSMS: 0,1,1,1", "+CNMI: 2,1,0,2,0", false},
         }) {
        CAPTURE(c.what);
        AnswersBench bench;
        bench.hears(InitStep::imei, "332395011000000");
        bench.facts.confirms = true;
        bench.facts.reports_stored = true;
        bench.hears(InitStep::booted_service, c.service);
        bench.hears(InitStep::booted_notify, c.notify);
        CHECK(bench.answers.is_needless(InitStep::keep_general) == c.needless);
        bench.answers.keeps();
        CHECK(bench.answers.is_needless(InitStep::keep_general));
        CHECK_FALSE(bench.answers.is_needless(InitStep::notify));
    }
}

TEST_CASE(
    "StartUpAnswers: a modem that has not restarted is not asked what it has after a restart") {
    AnswersBench bench;
    bench.hears(InitStep::mark, "+CREG: 1,1");
    CHECK(bench.answers.is_needless(InitStep::booted_service));
    CHECK(bench.answers.is_needless(InitStep::booted_notify));
    bench.hears(InitStep::mark, "+CREG: 0,1");
    CHECK_FALSE(bench.answers.is_needless(InitStep::booted_service));
}

TEST_CASE("StartUpAnswers: a number that may have lost digits is asked for again") {
    AnswersBench bench;
    bench.hears(InitStep::imei, "33239501100000");
    CHECK(bench.answers.asks_again());
    CHECK_FALSE(bench.answers.asks_again());  // once for each reading
    bench.hears(InitStep::imei, "33239501100000");
    CHECK_FALSE(bench.answers.asks_again());  // twice the same: so it is
    bench.hears(InitStep::imsi, "20801420000000");
    CHECK(bench.answers.asks_again());  // of another number nothing is known yet
}

TEST_CASE("StartUpAnswers: what a step said is not taken for the answer to the next") {
    AnswersBench bench;
    bench.hears(InitStep::pin_attempts, "+CPINC: 3,3,10,10");
    CHECK(bench.answers.answer().attempts_left == 3);
    bench.answers.ask(InitStep::pin_attempts);
    CHECK(bench.answers.answer().attempts_left == 0);
    CHECK_FALSE(bench.answers.answer().has_line);
    bench.hears(InitStep::imei, "no number");
    CHECK_FALSE(bench.answers.answer().has_line);
}

}  // namespace smsrack::gsm
