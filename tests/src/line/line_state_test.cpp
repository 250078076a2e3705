#include "src/line/line_state.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace smsrack;
using line::LineEvent;
using line::LineState;

namespace {

template <typename Each>
void for_each_pair(Each&& each) {
    for (auto state = 0; state <= static_cast<int>(LineState::dozing); ++state) {
        for (auto event = 0; event <= static_cast<int>(LineEvent::radio_on); ++event) {
            CAPTURE(state);
            CAPTURE(event);
            each(static_cast<LineState>(state), static_cast<LineEvent>(event));
        }
    }
}

/// Where the events lead from a line whose modem is down.
LineState after(const std::vector<LineEvent>& events) {
    LineState state = LineState::down;
    for (const LineEvent event : events) {
        state = next(line::line_rules, state, event).value_or(state);
    }
    return state;
}

}  // namespace

TEST_CASE("LineState: each pair of state and event is in the table at most once") {
    std::size_t rows = 0;
    for_each_pair(
        [&](LineState from, LineEvent on) { rows += next(line::line_rules, from, on) ? 1 : 0; });
    CHECK(rows == line::line_rules.size());
}

TEST_CASE("LineState: a modem that is lost takes the line down from every state") {
    for_each_pair([](LineState from, LineEvent on) {
        if (on == LineEvent::modem_lost) {
            CHECK(next(line::line_rules, from, on).value_or(LineState::down) == LineState::down);
        }
    });
}

TEST_CASE("LineState: with a SIM that is not known it takes nothing") {
    for_each_pair([](LineState from, LineEvent on) {
        const LineState to = next(line::line_rules, from, on).value_or(from);
        if (on == LineEvent::seat_unknown || from == LineState::identifying) {
            CHECK_FALSE(line::may_take(to));
        }
    });
}

TEST_CASE("LineState: a line becomes ready only by the release of what has claimed it") {
    for_each_pair([](LineState from, LineEvent on) {
        const auto to = next(line::line_rules, from, on);
        if (to == LineState::ready && from != LineState::ready) {
            CHECK(from == LineState::claimed);
            CHECK(on == LineEvent::release);
        }
        // An answer of the store that comes after the modem was lost makes nothing ready, and a claim holds.
        if (on == LineEvent::seat_known || on == LineEvent::release || on == LineEvent::radio_on) {
            CHECK_FALSE((to && from == LineState::down));
        }
        CHECK_FALSE((to && from == LineState::claimed && on == LineEvent::seat_known));
        CHECK_FALSE((to && from == LineState::identifying &&
                     (on == LineEvent::release || on == LineEvent::radio_on)));
    });
    CHECK_FALSE(line::may_take(LineState::claimed));
}

TEST_CASE("LineState: it takes messages when modem, seat and claims let it") {
    using enum LineEvent;
    struct Row {
        const char* what;
        std::vector<LineEvent> events;
        LineState state;
    };
    for (const Row& row : {
             Row{"the way up", {modem_ready, seat_known, release}, LineState::ready},
             Row{"the modem alone", {modem_ready, release}, LineState::identifying},
             Row{"claimed as it comes", {modem_ready, claim, seat_known}, LineState::claimed},
             Row{"claimed", {modem_ready, seat_known, release, claim}, LineState::claimed},
             Row{"claimed, and known again",
                 {modem_ready, seat_known, release, claim, seat_known},
                 LineState::claimed},
             Row{"claimed, lost and released",
                 {modem_ready, seat_known, release, claim, modem_lost, release},
                 LineState::down},
             Row{"lost while it was asked", {modem_ready, modem_lost, seat_known}, LineState::down},
             Row{"dozing", {modem_ready, seat_known, release, radio_off}, LineState::dozing},
             Row{"dozing is no claim that a release ends",
                 {modem_ready, seat_known, release, radio_off, claim, release},
                 LineState::dozing},
             Row{"called back in time",
                 {modem_ready, seat_known, release, radio_off, radio_on, release},
                 LineState::ready},
             Row{"the modem refused to sleep",
                 {modem_ready, seat_known, release, radio_off, modem_ready, seat_known, release},
                 LineState::ready},
             Row{"asleep",
                 {modem_ready, seat_known, release, radio_off, modem_lost},
                 LineState::down},
         }) {
        CAPTURE(row.what);
        CHECK(after(row.events) == row.state);
    }
}
