// A recipient of a sticky route hears from the SIM that it knows, while that can send.
//
// Which SIM that is stands in the store, written when the network takes a message; between giving one to a line and that commit
// it stands here, so that two first messages to one number don't go by two SIMs.
#include "src/dispatch/dispatcher.hpp"

#include <algorithm>

namespace smsrack::dispatch {

SimId Dispatcher::known_sim(const OutMessage& message) const {
    const auto here = sticky_sims_.find(line::recipient_hash(message.body.to));
    return here == sticky_sims_.end() ? message.known_sim : here->second;
}

/// A SIM that can send is waited for while it is busy. One that can't (lost, blocked, parked, cooling, its quota spent) is not:
/// another one takes the message, and is known from then on. And what a SIM sends to itself tells less of the network than what
/// it sends to another one.
line::Route Dispatcher::route_of(const Line& line, const OutMessage& message) const {
    const auto one_can_send = [&](auto prefers) {
        return std::ranges::any_of(lines_, [&](const Line& other) {
            return &other != &line && other.group == line.group && prefers(other) &&
                   can_send(other, message);
        });
    };
    line::Route route{.other_can_send = false};
    if (message.self_sms) {
        const ModemId id{static_cast<std::uint16_t>(&line - lines_.data())};
        route.to_itself = world_.board.own_number(id) == message.body.to;
        route.other_can_send = route.to_itself && one_can_send([](const Line&) { return true; });
    } else if (message.sticky) {
        route.known = known_sim(message);
        route.other_can_send =
            route.known != SimId{} && route.known != line.sim &&
            one_can_send([&](const Line& other) { return other.sim == route.known; });
    }
    return route;
}

/// It may be busy, but will send.
bool Dispatcher::can_send(const Line& line, const OutMessage& message) const {
    const bool rests =
        line.cools_until || (line.line->quota() != nullptr &&
                             line.line->quota()->wait(1, line::recipient_hash(message.body.to)));
    return line.ready && line.gate == ports::LineGate::open && !rests;
}

void Dispatcher::note_sticky(const Line& line, OutMessage& message) {
    if (!message.sticky) {
        return;
    }
    if (sticky_sims_.size() >= world_.slots.size()) {
        sticky_sims_.clear();  // the store has those whose message was taken
    }
    sticky_sims_.insert_or_assign(line::recipient_hash(message.body.to), line.sim);
    message.known_sim = line.sim;
}

}  // namespace smsrack::dispatch
