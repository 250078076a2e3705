// The dispatcher's gates: lines that a person or the scaling controller takes out of work and back.
#include "src/dispatch/dispatcher.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::dispatch {

using ports::GateOrder;
using ports::LineGate;

void Dispatcher::on(GateOrdered& mail) {
    Line& line = lines_.at(mail.line.value);
    const auto to = next(ports::gate_rules, line.gate, mail.order);
    if (!to) {
        if (mail.done) {
            mail.done(
                fail(Errc::conflict, "the line is " + std::string(line_gate_name(line.gate))));
        }
        return;
    }
    const LineGate from = std::exchange(line.gate, *to);
    if (from != *to) {
        line.line->shut(*to != LineGate::open);
        const WallTime wall = world_.clock.wall();
        const std::string& name = world_.board.name(mail.line);
        if (world_.rack_store != nullptr &&
            (from == LineGate::blocked || *to == LineGate::blocked)) {
            world_.rack_store->keep_gate(name, *to == LineGate::blocked, wall);
        }
        told_gate(mail.line);
        std::erase(draining_, mail.line);
        if (*to != LineGate::open) {
            draining_.push_back(mail.line);
        }
        look_again(groups_[line.group]);
    }
    if (mail.done) {
        mail.done(ports::GateAnswer{.gate = *to, .holds = holds_something(line)});
    }
}

void Dispatcher::begin_blocked(ModemId id) {
    Line& line = lines_.at(id.value);
    line.gate = LineGate::blocked;
    line.line->shut(true);
    world_.board.gate(id, line.gate, false);
}

/// The rest of a long message that it began belongs to it too.
bool Dispatcher::holds_something(const Line& line) const {
    return line.holds || keeps_for_pinned(line);
}

void Dispatcher::told_gate(ModemId id) {
    const Line& line = lines_.at(id.value);
    world_.board.gate(id, line.gate, holds_something(line));
    world_.log.info("line_gate", {{"modem", world_.board.name(id)},
                                  {"gate", line_gate_name(line.gate)},
                                  {"holds", holds_something(line)}});
    world_.store.keep_event({.at = world_.clock.wall(),
                             .type = EventType::modem_state,
                             .modem = world_.board.name(id),
                             .detail = std::string(line_gate_name(line.gate))});
}

/// Those that ended what they held are told so.
void Dispatcher::note_emptied() {
    std::erase_if(draining_, [this](ModemId id) {
        const Line& line = lines_.at(id.value);
        if (holds_something(line)) {
            return false;
        }
        world_.board.gate(id, line.gate, false);
        world_.log.info("line_drained", {{"modem", world_.board.name(id)}});
        world_.store.keep_event({.at = world_.clock.wall(),
                                 .type = EventType::modem_state,
                                 .modem = world_.board.name(id),
                                 .detail = "drained"});
        return true;
    });
}

}  // namespace smsrack::dispatch
