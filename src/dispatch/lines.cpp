#include "src/dispatch/lines.hpp"

#include "src/base/check.hpp"

namespace smsrack::dispatch {
namespace {

bool will_send(const Line& line, const Lines::Load& load) {
    return line.works() && !line.cools_until &&
           (line.quota == nullptr || !line.quota->wait(load.segments, load.recipient));
}

using ports::LineGate;

/// After a power cut a modem boots, takes its PIN and looks for its network: rarely more than two
/// minutes.
constexpr std::chrono::minutes first_registration{5};

}  // namespace

void Lines::add(std::uint16_t group, std::optional<ports::UncertainAttempt> left_open) {
    SMSRACK_CHECK(group < free_.size());
    lines_.push_back({.group = group, .left_open = std::move(left_open)});
}

void Lines::adopt(ModemId id, SimId sim) {
    at(id).sim = sim;
    at(id).holds = true;
}

std::vector<ModemId> Lines::ready(std::uint16_t group) const {
    std::vector<ModemId> ready;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        if (lines_[i].group == group && lines_[i].link == LinkSeen::ready) {
            ready.push_back(id_of(i));
        }
    }
    return ready;
}

std::optional<SteadyTime> Lines::become_ready(ModemId id, SimId sim, SteadyTime now) {
    Line& line = at(id);
    line.sim = sim;
    if (std::exchange(line.link, LinkSeen::ready) != LinkSeen::ready && !line.holds) {
        free_[line.group].push_back(id);
    }
    const auto until = cooling_.until(sim, now);
    line.cools_until = until ? until : line.cools_until;
    return until;
}

bool Lines::lose(ModemId id) {
    Line& line = at(id);
    line.link = line.link == LinkSeen::unmet ? LinkSeen::unmet : LinkSeen::lost;
    std::erase(free_[line.group], id);
    return std::exchange(line.cools_until, std::nullopt).has_value();
}

void Lines::give(ModemId id) {
    Line& line = at(id);
    SMSRACK_CHECK(!line.holds);
    line.holds = true;
    std::erase(free_[line.group], id);
}

void Lines::take_back(ModemId id) {
    Line& line = at(id);
    line.holds = false;
    if (line.link == LinkSeen::ready) {
        free_[line.group].push_back(id);
    }
}

void Lines::rest(ModemId id, SteadyTime until) {
    at(id).rests_until = std::max(at(id).rests_until, until);
}

std::optional<std::chrono::milliseconds> Lines::ended(ModemId id, const SubmitOutcome& outcome,
                                                      SteadyTime now) {
    const auto pause = cooling_.ended(at(id).sim, outcome, now);
    if (pause) {
        at(id).cools_until = now + *pause;
    }
    return pause;
}

std::vector<ModemId> Lines::take_cooled(SteadyTime now) {
    std::vector<ModemId> cooled;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        auto& until = lines_[i].cools_until;
        if (until && *until <= now) {
            until.reset();
            cooled.push_back(id_of(i));
        }
    }
    return cooled;
}

std::optional<Lines::GateChange> Lines::order(ModemId id, ports::GateOrder order) {
    Line& line = at(id);
    const auto to = next(ports::gate_rules, line.gate, order);
    if (!to) {
        return std::nullopt;
    }
    const LineGate from = std::exchange(line.gate, *to);
    if (from != *to) {
        std::erase(draining_, id);
        if (*to != LineGate::open) {
            draining_.push_back(id);
        }
    }
    return GateChange{.from = from, .to = *to};
}

bool Lines::has(SimId sim) const {
    return std::ranges::any_of(lines_, [sim](const Line& line) {
        return line.link == LinkSeen::ready && line.sim == sim;
    });
}

std::optional<ModemId> Lines::idle_with(SimId sim, SteadyTime now) const {
    const auto found = std::ranges::find_if(
        lines_, [&](const Line& line) { return line.sim == sim && line.may_take(now); });
    return found == lines_.end()
               ? std::nullopt
               : std::optional(id_of(static_cast<std::size_t>(found - lines_.begin())));
}

bool Lines::may_bring_any(SteadyTime now) const {
    return began_ && now < *began_ + first_registration &&
           std::ranges::any_of(lines_,
                               [](const Line& line) { return line.link == LinkSeen::unmet; });
}

bool Lines::other_can_send(ModemId than, std::optional<SimId> sim, const Load& load) const {
    const Line& self = lines_[than.value];
    return std::ranges::any_of(lines_, [&](const Line& other) {
        return &other != &self && other.group == self.group && (!sim || other.sim == *sim) &&
               will_send(other, load);
    });
}

bool Lines::can_send(std::uint16_t group, SimId sim, const Load& load) const {
    return std::ranges::any_of(lines_, [&](const Line& line) {
        return line.group == group && line.sim == sim && will_send(line, load);
    });
}

bool Lines::none_takes(std::uint16_t group, std::uint64_t recipient) const {
    bool any = false;
    for (const Line& line : lines_) {
        if (line.group != group || !line.works()) {
            continue;
        }
        any = true;
        if (line.quota == nullptr || line.quota->takes(recipient)) {
            return false;
        }
    }
    return any;
}

SteadyTime Lines::deadline(SteadyTime now) const {
    SteadyTime first = never;
    for (const Line& line : lines_) {
        if (line.rests_until > now) {
            first = std::min(first, line.rests_until);
        }
        first = std::min(first, line.cools_until.value_or(never));
    }
    return first;
}

}  // namespace smsrack::dispatch
