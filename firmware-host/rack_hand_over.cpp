// The rack's lines from one run of the service to the next.
#include "firmware-host/rack.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::host {

void Rack::hold(const LineNames& names, bool held) {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        if (names.contains(board_.name(ModemId{static_cast<std::uint16_t>(i)}))) {
            lines_[i]->hold(held);
        }
    }
}

std::vector<std::string> Rack::unsettled(const LineNames& names, line::ModemLine::Want want) const {
    std::vector<std::string> late;
    if (stays_down_) {
        return late;
    }
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        const std::string& name = board_.name(ModemId{static_cast<std::uint16_t>(i)});
        if (names.contains(name) && !lines_[i]->is_settled(want)) {
            late.push_back(name);
        }
    }
    return late;
}

Rack::LineNames Rack::line_names() const {
    LineNames names;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        names.insert(board_.name(ModemId{static_cast<std::uint16_t>(i)}));
    }
    return names;
}

void Rack::settle(const std::function<void()>& decode, const std::function<void()>& write) {
    for (const auto& line : lines_) {
        line->settle();
    }
    decode();
    dispatcher_.settle();
    write();
    for (const auto& line : lines_) {
        line->settle();  // what was received is durable now
    }
}

std::vector<LineHandOver> Rack::leave() {
    std::vector<LineHandOver> left;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        const ModemId id{static_cast<std::uint16_t>(i)};
        line::LineCarried line = lines_[i]->carried();
        auto modem = modems_[i]->carried();
        serial::OwnedFd port(modem ? modems_[i]->duplicate_port() : -1);
        const bool in_step =
            modem && (modem->submit.state != gsm::SubmitState::idle) == line.in_hand.has_value();
        if (in_step && port.get() >= 0) {
            left.push_back({.name = board_.name(id),
                            .path = modems_[i]->port().path,
                            .baud = modems_[i]->port().baud,
                            .port = std::move(port),
                            .modem = *std::move(modem),
                            .line = std::move(line)});
        }
    }
    return left;
}

RackLearned Rack::learned() const {
    RackLearned learned{.groups = admission_.carried(),
                        .cooling = dispatcher_.cooling(),
                        .scaling = scaler_.carried()};
    for (const ports::LineView& line : board_.lines()) {
        if (line.woke_in) {
            learned.wakes.push_back({.line = line.name, .took = *line.woke_in});
        }
    }
    return learned;
}

void Rack::adopt_wakes(const std::vector<WakeCarried>& wakes) {
    for (const WakeCarried& wake : wakes) {
        if (const auto line = line_named(wake.line)) {
            board_.woke(*line, wake.took);
        }
    }
}

/// Where name and port are the same, the modem continues as it is; else its port is closed and
/// opened again.
bool Rack::adopt_modem(gsm::GsmModem& modem, const config::ModemSettings& settings) {
    const auto found = std::ranges::find(left_, settings.name, &LineHandOver::name);
    if (found == left_.end() || found->path != settings.port || found->baud != settings.line.baud) {
        return false;
    }
    if (const auto adopted = modem.adopt(found->modem, found->port.get()); !adopted) {
        world_.log.warn("port_not_taken_over",
                        {{"modem", settings.name}, {"error", adopted.error().context}});
        return false;
    }
    (void)found->port.release();
    adopted_.emplace(lines_.size(), std::move(*found));
    return true;
}

void Rack::adopt_lines() {
    left_.clear();
    for (auto& [index, left] : adopted_) {
        const ModemId id{static_cast<std::uint16_t>(index)};
        const gsm::Facts& facts = left.modem.facts;
        std::optional<queue::SlotNumber> slot;
        if (left.line.in_hand) {
            slot = dispatcher_.adopt(id, left.line.seat.sim, std::move(left.line.in_hand->content));
        }
        board_.count_on(id, left.line.counts);
        board_.vitals(id, {facts.signal_dbm, facts.registration, facts.identity.operator_name});
        if (left.modem.inbox.storage_total > 0) {
            board_.sim_storage(id, left.modem.inbox.storage_used, left.modem.inbox.storage_total);
        }
        lines_[index]->adopt(left.line, facts.identity, left.modem.ready, slot);
    }
}

}  // namespace smsrack::host
