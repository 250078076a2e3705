#include "src/sms/message_states.hpp"

#include <doctest/doctest.h>

#include <array>
#include <vector>

using namespace smsrack;
using enum MessageState;

TEST_CASE("message_rules: states move forward only, but for proof that nothing was sent") {
    const auto rank = [](MessageState state) {
        switch (state) {
            case scheduled:
                return 0;
            case queued:
                return 1;
            case sending:
                return 2;
            case uncertain:
                return 3;
            case sent:
                return 4;
            case elsewhere:
                return 1;
            default:
                return 5;
        }
    };
    for (const MessageRule& rule : message_rules) {
        CAPTURE(message_state_name(rule.from));
        CAPTURE(message_state_name(rule.to));
        const bool back = rank(rule.to) < rank(rule.from);
        CHECK(back == (rule.from == uncertain &&
                       (rule.on == MessageEvent::not_sent || rule.on == MessageEvent::lent)));
    }
}

TEST_CASE(
    "message_rules: a message that another box may begin is begun here only when it is firm") {
    constexpr std::array here{MessageEvent::due, MessageEvent::attempt, MessageEvent::not_sent,
                              MessageEvent::shared, MessageEvent::lent};
    for (const MessageEvent event : here) {
        CHECK_FALSE(next(message_rules, elsewhere, event));
    }
    for (const MessageRule& rule : message_rules) {
        CAPTURE(message_state_name(rule.from));
        CAPTURE(message_state_name(rule.to));
        CHECK((rule.to == elsewhere) ==
              (rule.on == MessageEvent::lent || rule.on == MessageEvent::shared));
        if (rule.from == elsewhere) {
            CHECK((rule.to == queued) == (rule.on == MessageEvent::firm));
            CHECK(rule.to != sending);
        } else {
            CHECK(rule.on != MessageEvent::firm);
        }
    }
}

TEST_CASE("is_final: no event moves an ended message") {
    for (std::size_t i = 0; i < message_state_count; ++i) {
        const auto state = static_cast<MessageState>(i);
        const bool ended = state == delivered || state == undelivered || state == failed ||
                           state == expired || state == cancelled;
        CAPTURE(message_state_name(state));
        CHECK(is_final(state) == ended);
        CHECK(message_state_of(message_state_name(state)) == state);
    }
    CHECK_FALSE(message_state_of("gone"));
}

TEST_CASE("worst_of: a message is as bad as its worst segment, and sending once begun") {
    struct Row {
        std::vector<MessageState> segments;
        MessageState worst;
        bool partial;
    };
    for (const Row& row : {
             Row{{delivered}, delivered, false},
             Row{{delivered, sent}, sent, true},
             Row{{sent, queued, queued}, sending, true},
             Row{{queued, queued}, queued, false},
             Row{{delivered, uncertain, queued}, uncertain, true},
             Row{{sent, undelivered}, undelivered, true},
             Row{{sent, failed, cancelled}, failed, true},
             Row{{cancelled, cancelled}, cancelled, false},
             Row{{failed, failed}, failed, false},
         }) {
        CHECK(worst_of(row.segments) == row.worst);
        CHECK(is_partial(row.segments) == row.partial);
    }
}
