#include "src/webhook/life.hpp"

namespace smsrack::webhook {

void apply(ports::WebhookLife& life, Happened happened, WallTime now, std::string_view reason) {
    const auto to = next(state_rules, life.state, happened);
    if (!to) {
        return;
    }
    if (*to != life.state) {
        life.changed_at = now;
    }
    life.state = *to;
    life.reason = *to == State::open ? "" : reason;
    if (happened == Happened::switched_on) {
        life.failures = 0;
    }
}

}  // namespace smsrack::webhook
