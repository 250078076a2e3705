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
                fail(Errc::conflict, "the modem is " + std::string(line_gate_name(line.gate))));
        }
        return;
    }
    const LineGate from = std::exchange(line.gate, *to);
    if (from != *to) {
        line.line->shut(*to != LineGate::open);
        if (from == LineGate::parked) {
            line.line->park(false);
        }
        told_gate(mail.line);
        std::erase(draining_, mail.line);
        if (*to != LineGate::open) {
            draining_.push_back(mail.line);
        }
        look_again(groups_[line.group]);
    }
    answer_gate(mail, from, *to);
}

/// What a person wants holds over a restart before it is answered; also where it was so already, but perhaps was not kept.
void Dispatcher::answer_gate(GateOrdered& mail, LineGate from, LineGate to) {
    const ports::GateAnswer answer{.gate = to,
                                   .holds = holds_something(lines_.at(mail.line.value))};
    const bool a_persons = from == LineGate::blocked || to == LineGate::blocked;
    if (world_.rack_store == nullptr || !a_persons) {
        if (mail.done) {
            mail.done(answer);
        }
        return;
    }
    world_.rack_store->keep_gate(
        world_.board.name(mail.line), to == LineGate::blocked, world_.clock.wall(),
        [done = std::move(mail.done), answer](const Result<>& kept) mutable {
            if (!done) {
                return;
            }
            if (kept) {
                return done(answer);
            }
            Error error = kept.error();
            error.context = "the modem is " + std::string(line_gate_name(answer.gate)) +
                            " now, but would not be after a restart: " + error.context;
            done(std::unexpected(std::move(error)));
        });
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
        if (line.gate == LineGate::parked) {
            line.line->park(true);
        }
        world_.log.info("line_drained", {{"modem", world_.board.name(id)}});
        world_.store.keep_event({.at = world_.clock.wall(),
                                 .type = EventType::modem_state,
                                 .modem = world_.board.name(id),
                                 .detail = "drained"});
        return true;
    });
}

}  // namespace smsrack::dispatch
