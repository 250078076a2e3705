/// One event of a message, a line or the rack: a row in the store and one Server-Sent Event.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/ids.hpp"
#include "src/sms/message_states.hpp"
#include "src/sms/outcome.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack {

/// Row of a front end in the store; 0: no named front end.
using ClientId = Id<struct ClientTag, std::int64_t>;
/// Brought the rack's own messages (src/sms/self_sms): no front end hears of them.
inline constexpr ClientId rack_itself{-1};

/// `detail` of the event, and then of the message, where a report was asked for and none came.
inline constexpr std::string_view no_report_came = "no_report";

/// The numbers are stored: never change one.
enum class EventType : std::uint8_t {
    message_state = 1,     ///< the message is in `state` now; named "message.<state>"
    message_received = 2,  ///< an inbox row is whole: "message.received"
    modem_state = 3,       ///< "modem.state"; `detail` has the words
    service_notice = 4,    ///< "service.notice"; `detail` has the word
    scaling_decision = 5,  ///< "scaling.decision"; `detail` has the words
    client_state = 6,      ///< "client.state"; `detail` has the word and the client's name
    opt_out_stop = 7,      ///< "optout.stop"; `detail` has "stop_counted" or "stop_ignored"
    message_kept = 9,  ///< "message.kept": the engine of the fleet has it now; `detail` how safely
    /// "cluster.<word>": `detail` has the word ("box", "engine", "conflict", "decision") and what is said of it
    cluster_notice = 10,
    webhook_dead = 8,  ///< "webhook.dead"; `detail` has the webhook's name and the event's id
};

struct Event {
    EventSeq seq = {};
    WallTime at = {};
    EventType type = EventType::message_state;
    MessageId message = {};             ///< with message_state
    MessageId origin = {};              ///< its id, where another box accepted it; 0: `message`
    ClientId client = {};               ///< that brought the message; 0: it has no name
    std::optional<OwnerId> owner = {};  ///< account that brought it; nullopt: not known
    std::string to = {};                ///< number of the message, with message_state
    std::string note = {};              ///< of the message; empty: none
    InboxId inbox = {};                 ///< with message_received and opt_out_stop
    /// With message_received: the client that wrote last to its sender; 0: none did recently.
    ClientId answers = {};
    MessageState state = MessageState::queued;  ///< with message_state
    /// With message_state: it had ended before, as by another one of its segments, or `no_report`.
    bool again = false;
    std::string modem = {};     ///< name of the line, where one is concerned
    std::uint8_t segment = 0;   ///< from 0
    std::uint16_t attempt = 0;  ///< from 1; 0: none
    Cause cause = {};
    /// Short word such as "outcome_unknown", "ttl", "by_request", or the modem's state.
    std::string detail = {};
};

/// The id that clients know the message by.
[[nodiscard]] inline MessageId shown_message(const Event& event) {
    return event.origin == MessageId{} ? event.message : event.origin;
}

/// Which received messages a client's stream has besides the events of its messages.
enum class InboxShare : std::uint8_t {
    none = 0,
    replies = 1,  ///< those that answer the client (Event::answers)
    all = 2,      ///< and those that answer no client
};

/// Which events a subscriber gets: those of the messages of one client, of one account, or all
/// there are.
struct EventScope {
    ClientId client = {};                 ///< 0: of any
    std::optional<OwnerId> owner = {};    ///< nullopt: of any; only without `client`
    InboxShare inbox = InboxShare::none;  ///< with `client` alone

    [[nodiscard]] bool is_all() const { return client == ClientId{} && !owner; }
    [[nodiscard]] bool has(const Event& event) const {
        if (client == ClientId{}) {
            return !owner || event.owner == owner;
        }
        return event.client == client || has_received(event);
    }
    [[nodiscard]] bool has_received(const Event& event) const {
        return event.type == EventType::message_received && inbox != InboxShare::none &&
               (event.answers == client ||
                (inbox == InboxShare::all && event.answers == ClientId{}));
    }
};

/// "message.sent", "message.received", "modem.state", "service.notice".
[[nodiscard]] inline std::string event_name(const Event& event) {
    switch (event.type) {
        case EventType::message_state:
            return "message." + std::string(message_state_name(event.state));
        case EventType::message_received:
            return "message.received";
        case EventType::modem_state:
            return "modem.state";
        case EventType::service_notice:
            return "service.notice";
        case EventType::scaling_decision:
            return "scaling.decision";
        case EventType::client_state:
            return "client.state";
        case EventType::opt_out_stop:
            return "optout.stop";
        case EventType::webhook_dead:
            return "webhook.dead";
        case EventType::message_kept:
            return "message.kept";
        case EventType::cluster_notice:
            return "cluster." + event.detail.substr(0, event.detail.find(' '));
    }
    return "unknown";
}

}  // namespace smsrack
