#include "src/sms/event.hpp"

namespace smsrack {

std::string event_name(const Event& event) {
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
    }
    return "unknown";
}

}  // namespace smsrack
