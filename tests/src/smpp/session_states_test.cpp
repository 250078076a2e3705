#include "src/smpp/session_states.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace smsrack;
using namespace smsrack::smpp;

namespace {

constexpr std::array states{SessionState::open,      SessionState::bound_tx,
                            SessionState::bound_rx,  SessionState::bound_trx,
                            SessionState::unbinding, SessionState::closed};
constexpr std::array events{SessionEvent::bound_as_transmitter,
                            SessionEvent::bound_as_receiver,
                            SessionEvent::bound_as_transceiver,
                            SessionEvent::unbind_asked,
                            SessionEvent::drained,
                            SessionEvent::ended};

}  // namespace

TEST_CASE("session states: each pair has at most one row") {
    for (const SessionState state : states) {
        for (const SessionEvent event : events) {
            const auto rows = std::ranges::count_if(session_rules, [&](const auto& rule) {
                return rule.from == state && rule.on == event;
            });
            CHECK(rows <= 1);
            CHECK(next(session_rules, state, event).has_value() == (rows == 1));
        }
    }
}

TEST_CASE("session states: each state ends with its connection, and a closed session stays so") {
    for (const SessionState state : states) {
        const auto after = next(session_rules, state, SessionEvent::ended);
        CHECK(after.value_or(SessionState::closed) == SessionState::closed);
        CHECK(after.has_value() == (state != SessionState::closed));
    }
    for (const SessionEvent event : events) {
        CHECK_FALSE(next(session_rules, SessionState::closed, event));
    }
}

TEST_CASE("session states: a bound session first answers what is in flight, then closes") {
    for (const SessionState state :
         {SessionState::bound_tx, SessionState::bound_rx, SessionState::bound_trx}) {
        CHECK(next(session_rules, state, SessionEvent::unbind_asked) == SessionState::unbinding);
        CHECK_FALSE(next(session_rules, state, SessionEvent::drained));
        CHECK_FALSE(next(session_rules, state, SessionEvent::bound_as_transceiver));
    }
    CHECK(next(session_rules, SessionState::unbinding, SessionEvent::drained) ==
          SessionState::closed);
}

TEST_CASE("session states: what an ESME may ask depends on how it is bound") {
    constexpr Status ok = Status::ok, never = Status::wrong_bind_state,
                     again = Status::already_bound, unknown = Status::invalid_command_id;
    struct Row {
        Command request;
        std::array<Status, states.size()> refusals;  // in the order of `states`
    };
    for (const Row& row : {
             Row{Command::bind_receiver, {ok, again, again, again, never, never}},
             Row{Command::bind_transmitter, {ok, again, again, again, never, never}},
             Row{Command::bind_transceiver, {ok, again, again, again, never, never}},
             Row{Command::submit_sm, {never, ok, never, ok, never, never}},
             Row{Command::submit_multi, {never, ok, never, ok, never, never}},
             Row{Command::data_sm, {never, ok, never, ok, never, never}},
             Row{Command::query_sm, {never, ok, never, ok, never, never}},
             Row{Command::cancel_sm, {never, ok, never, ok, never, never}},
             Row{Command::replace_sm, {never, ok, never, ok, never, never}},
             Row{Command::unbind, {never, ok, ok, ok, ok, never}},
             Row{Command::enquire_link, {ok, ok, ok, ok, ok, never}},
             Row{Command::deliver_sm, {never, never, never, never, never, never}},
             Row{Command::outbind, {never, never, never, never, never, never}},
             Row{Command{0x77}, {unknown, unknown, unknown, unknown, unknown, unknown}},
         }) {
        CAPTURE(command_name(row.request));
        for (std::size_t i = 0; i < states.size(); ++i) {
            CAPTURE(i);
            CHECK(refusal_of(row.request, states.at(i)) == row.refusals.at(i));
        }
    }
}
