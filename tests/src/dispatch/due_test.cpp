#include "src/dispatch/due.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace std::chrono_literals;
using dispatch::Due;
using dispatch::DueQuestion;

namespace {

constexpr SteadyTime start = SteadyTime{} + 1h;
constexpr WallTime noon = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1} + 12h;

/// Asked once, and nothing is known to be due.
void ask_once(DueQuestion& question) {
    CHECK(question.ask(noon));
    CHECK(question.answered() == noon);
}

}  // namespace

TEST_CASE("DueQuestion: at the start the store is asked at once") {
    DueQuestion question;
    CHECK(question.is_due(noon));
    CHECK_FALSE(question.is_open());
}

TEST_CASE("DueQuestion: the earliest time counts, and is asked for when it has come") {
    DueQuestion question;
    ask_once(question);
    CHECK_FALSE(question.next());
    question.at(noon + 2h);
    question.at(noon + 1h);
    question.at(noon + 3h);
    CHECK(question.next() == noon + 1h);
    CHECK_FALSE(question.is_due(noon + 59min));
    CHECK(question.is_due(noon + 1h));
    CHECK(question.ask(noon + 1h));
    CHECK_FALSE(question.is_due(noon + 24h));
}

TEST_CASE("DueQuestion: asked before its time, it keeps that time") {
    DueQuestion question;
    ask_once(question);
    question.at(noon + 1h);
    CHECK_FALSE(question.ask(noon + 1min));
    CHECK(question.answered() == noon + 1min);
    CHECK(question.next() == noon + 1h);
}

TEST_CASE("DueQuestion: while a question is open there is no time to wait for") {
    DueQuestion question;
    CHECK(question.ask(noon));
    question.at(noon + 1s);
    CHECK(question.is_open());
    CHECK_FALSE(question.next());
    (void)question.answered();
    CHECK(question.next() == noon + 1s);
}

TEST_CASE("Due: what came is kept until there is a place for it") {
    Due due;
    CHECK_FALSE(due.has_kept());
    std::vector<OutMessage> came(2);
    came[0].id = MessageId{1};
    came[1].id = MessageId{2};
    due.keep(std::move(came));
    CHECK(due.kept().size() == 2);
    CHECK(due.take_kept().id == MessageId{2});
    CHECK(due.take_kept().id == MessageId{1});
    CHECK_FALSE(due.has_kept());
}

TEST_CASE("Due: a sweep is made each period, and again at once where there is more") {
    Due due;
    CHECK(due.take_sweep(start));
    CHECK_FALSE(due.take_sweep(start + Due::sweep_period - 1ms));
    due.sweep_again(start + 1s);
    CHECK(due.take_sweep(start + 1s));
    CHECK_FALSE(due.take_sweep(start + 1s));
    CHECK(due.take_sweep(start + 1s + Due::sweep_period));
}

TEST_CASE(
    "Due: the thread sleeps until the next time that it may act on, at most until the sweep") {
    struct Row {
        const char* what;
        std::chrono::milliseconds messages;
        std::chrono::milliseconds doubts;
        bool messages_may;
        bool doubts_may;
        std::chrono::milliseconds sleeps;
    };
    for (const Row& row : {
             Row{"a message is due", 2s, 4s, true, true, 2s},
             Row{"a doubt is due", 4s, 2s, true, true, 2s},
             Row{"messages can't be taken", 1s, 4s, false, true, 4s},
             Row{"doubts can't be looked at", 4s, 1s, true, false, 4s},
             Row{"a far century", std::chrono::years(900), 24h, true, true, Due::sweep_period},
             Row{"it is late: not in a loop without a pause", -1h, 24h, true, true, 1ms},
         }) {
        CAPTURE(row.what);
        Due due;
        CHECK(due.take_sweep(start));
        ask_once(due.messages);
        ask_once(due.doubts);
        due.messages.at(noon + row.messages);
        due.doubts.at(noon + row.doubts);
        CHECK(due.deadline(start, noon, row.messages_may, row.doubts_may) == start + row.sleeps);
    }
}
