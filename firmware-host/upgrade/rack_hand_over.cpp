// The rack's lines from one run of the service to the next.
#include "firmware-host/rack.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::host {

void Rack::hold(const LineNames& names, bool held) {
    for (RackLine& line : lines_) {
        if (names.contains(line.name)) {
            line.modem.leave_port(false);
            line.address.hold(held);
        }
    }
}

void Rack::hold_to_end(const LineNames& names) {
    for (RackLine& line : lines_) {
        if (names.contains(line.name)) {
            line.modem.leave_port(true);
            line.address.hold(true);
        }
    }
}

std::vector<std::string> Rack::unsettled(const LineNames& names,
                                         line::LineAddress::Want want) const {
    std::vector<std::string> late;
    for (const RackLine& line : lines_) {
        if (!stays_down_ && names.contains(line.name) && !line.address.is_settled(want)) {
            late.push_back(line.name);
        }
    }
    return late;
}

Rack::LineNames Rack::line_names() const {
    LineNames names;
    for (const RackLine& line : lines_) {
        names.insert(line.name);
    }
    return names;
}

void Rack::settle(const std::function<void()>& decode, const std::function<void()>& write) {
    for (RackLine& line : lines_) {
        line.line->settle();
    }
    decode();
    dispatcher_.settle();
    write();
    for (RackLine& line : lines_) {
        line.line->settle();  // what was received is durable now
    }
}

std::vector<LineHandOver> Rack::leave() {
    std::vector<LineHandOver> all;
    for (RackLine& line : lines_) {
        if (auto left = line.leave()) {
            all.push_back(*std::move(left));
        }
    }
    return all;
}

RackLearned Rack::learned() const {
    RackLearned learned{.groups = admission_.carried(),
                        .cooling = dispatcher_.cooling(),
                        .scaling = scaler_.carried(),
                        .conditions = view_.carried()};
    for (const ports::LineView& line : world_.address.board.lines()) {
        if (line.woke_in) {
            learned.wakes.push_back({.line = line.name, .took = *line.woke_in});
        }
    }
    return learned;
}

std::size_t Rack::adopted() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        lines_, [](const RackLine& line) { return line.carried.has_value(); }));
}

void Rack::adopt_wakes(const std::vector<WakeCarried>& wakes) {
    for (const WakeCarried& wake : wakes) {
        if (const RackLine* const line = line_named(wake.line)) {
            world_.address.board.woke(line->id, wake.took);
        }
    }
}

void Rack::adopt_lines() {
    line::LineBoard& board = world_.address.board;
    for (RackLine& line : lines_) {
        if (!line.carried) {
            continue;
        }
        LineHandOver& left = *line.carried;
        const gsm::Facts& facts = left.modem.facts;
        std::optional<queue::SlotNumber> slot;
        if (left.line.in_hand) {
            slot = dispatcher_.adopt(line.id, left.line.seat.sim,
                                     std::move(left.line.in_hand->content));
        }
        board.count_on(line.id, left.line.counts);
        board.vitals(line.id, {facts.signal_dbm, facts.registration, facts.identity.operator_name});
        if (left.modem.inbox.storage_total > 0) {
            board.sim_storage(line.id, left.modem.inbox.storage_used,
                              left.modem.inbox.storage_total);
        }
        line.line->adopt(left.line, facts.identity, left.modem.ready, slot);
    }
}

}  // namespace smsrack::host
