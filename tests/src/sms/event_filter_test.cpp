#include "src/sms/event_filter.hpp"

#include <doctest/doctest.h>

using namespace smsrack;

TEST_CASE("EventFilter: names and groups of names") {
    CHECK(matches("message.sent", "message.sent"));
    CHECK_FALSE(matches("message.sent", "message.sending"));
    CHECK(matches("message.*", "message.received"));
    CHECK_FALSE(matches("message.*", "modem.state"));
    CHECK_FALSE(matches("mess.*", "message.sent"));
    const EventFilter filter{.webhook = "crm",
                             .patterns = {"message.received", "modem.*", "webhook.dead"}};
    CHECK(filter.wants_type({.type = EventType::message_received}));
    CHECK(filter.wants_type({.type = EventType::modem_state}));
    CHECK_FALSE(filter.wants_type({.type = EventType::message_state}));
}

TEST_CASE("EventFilter: a webhook does not get its own dead events") {
    const EventFilter filter{.webhook = "crm", .patterns = {"webhook.dead"}};
    CHECK_FALSE(filter.wants_type({.type = EventType::webhook_dead, .detail = "crm 4711"}));
    CHECK(filter.wants_type({.type = EventType::webhook_dead, .detail = "crm2 4711"}));
}

TEST_CASE(
    "EventFilter: with a client only events of messages that a client brought may be wanted") {
    const EventFilter filter{.webhook = "crm", .client = "billing", .patterns = {"message.*"}};
    CHECK_FALSE(filter.may_want({.type = EventType::message_state}));
    CHECK(filter.may_want({.type = EventType::message_state, .client = ClientId{3}}));
    CHECK_FALSE(filter.may_want({.type = EventType::message_received}));
}
