#include "src/webhook/life.hpp"

#include <doctest/doctest.h>

#include <array>
#include <optional>

using namespace smsrack;
using namespace smsrack::webhook;

TEST_CASE("life: every pair of state and event") {
    struct Row {
        State from;
        std::array<std::optional<State>, 5> to;  // by event, in the order of Happened
    };
    constexpr std::nullopt_t no = std::nullopt;
    for (const Row& row : {
             Row{State::open, {State::failing, no, State::off, State::open, State::off}},
             Row{State::failing, {no, State::open, State::off, State::open, State::off}},
             Row{State::off, {no, no, no, State::open, State::off}},
         }) {
        for (std::size_t i = 0; i < row.to.size(); ++i) {
            CAPTURE(static_cast<int>(row.from));
            CAPTURE(i);
            CHECK(next(state_rules, row.from, static_cast<Happened>(i)) == row.to.at(i));
        }
    }
}

TEST_CASE("life: the reason and the time are those of the last change") {
    const WallTime first = WallTime{} + std::chrono::hours(1);
    const WallTime later = first + std::chrono::hours(1);
    ports::WebhookLife life{.failures = 5};
    apply(life, Happened::failed_often, first, "HTTP 500");
    CHECK(life.state == State::failing);
    CHECK(life.reason == "HTTP 500");
    apply(life, Happened::failed_often, later, "HTTP 502");  // it is failing already
    CHECK(life.changed_at == first);
    apply(life, Happened::gone, later, "HTTP 410");
    CHECK(life.state == State::off);
    CHECK(life.changed_at == later);
    apply(life, Happened::succeeded, later, "");
    CHECK(life.state == State::off);
    CHECK(life.failures == 5);
    apply(life, Happened::switched_on, later, "");
    CHECK(life.state == State::open);
    CHECK(life.reason.empty());
    CHECK(life.failures == 0);
}
