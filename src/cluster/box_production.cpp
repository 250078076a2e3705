#include "src/cluster/box_production.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace smsrack::cluster {
namespace {

using ports::BoxLife;

bool has_group(const BoxNode& box, const std::string& group) {
    return box.work && std::ranges::find(box.work->groups, group) != box.work->groups.end();
}

/// No other one in production, and here already, sends for one of its groups.
bool is_last_of_a_group(const BoxNode& box, std::span<const BoxNode> fleet) {
    return std::ranges::any_of(box.work->groups, [&](const std::string& group) {
        return std::ranges::none_of(fleet, [&](const BoxNode& other) {
            return other.row.box != box.row.box && other.beats && is_in_production(other) &&
                   has_group(other, group);
        });
    });
}

bool may_be_parked(const BoxNode& box, std::span<const BoxNode> fleet) {
    return is_in_production(box) && box.beats && why_it_stays(box, fleet).empty();
}

auto work_of(const BoxNode& box) {
    // Of equal ones the one that joined last: all boxes choose the same.
    return std::tuple(box.work->busy, box.row.held + box.row.firm, -box.row.box.value);
}

/// Of the group of the box whose boxes in production have most to do, as it was when the box was parked.
double need_of(const BoxNode& box, std::span<const BoxNode> fleet) {
    constexpr double none_sends = 1.5;
    double need = 0;
    for (const std::string& group : box.work ? box.work->groups : std::vector<std::string>{}) {
        double busy = 0;
        double open = 0;
        for (const BoxNode& other : fleet) {
            if (is_in_production(other) && has_group(other, group)) {
                busy += other.work->busy;
                ++open;
            }
        }
        need = std::max(need, open > 0 ? busy / open : none_sends);
    }
    return need;
}

}  // namespace

bool is_in_production(const BoxNode& box) {
    return box.row.life == BoxLife::running &&
           (box.comes || (box.beats && box.row.report.modems > 0));
}

std::string_view why_it_stays(const BoxNode& box, std::span<const BoxNode> fleet) {
    if (!box.work) {
        return "unknown";
    }
    return box.row.report.engine_node       ? "engine_node"
           : is_last_of_a_group(box, fleet) ? "last_of_group"
                                            : std::string_view(box.work->stays);
}

BoxProduction::Counted BoxProduction::look(std::span<const BoxNode> fleet) {
    Counted counted;
    std::set<BoxNumber> up;
    double sent = 0;
    double asked = 0;
    double rates = 0;
    double measured = 0;
    for (const BoxNode& box : fleet) {
        const bool is_up = is_in_production(box);
        if (box.beats && box.work) {
            sent += box.work->sent;
            asked += box.work->asked;
            if (box.work->forecast) {
                counted.forecast = counted.forecast.value_or(0) + *box.work->forecast;
            }
        }
        if (!is_up) {
            const bool is_lost = up_.contains(box.row.box) && box.row.life == BoxLife::running;
            counted.crashed += is_lost ? 1 : 0;
            continue;
        }
        if (!box.comes || box.beats) {  // one that never came is not lost
            up.insert(box.row.box);
        }
        ++counted.boxes;
        counted.cpu += box.work ? box.work->busy : 0;
        if (box.row.report.messages_per_s > 0) {
            rates += box.row.report.messages_per_s;
            ++measured;
        }
    }
    counted.load = std::max(sent, asked);
    counted.cpu = counted.boxes > 0 ? counted.cpu / counted.boxes : 0;
    counted.box_rate = measured > 0 ? rates / measured : 0;
    up_ = std::move(up);
    return counted;
}

const BoxNode* to_park(std::span<const BoxNode> fleet) {
    const BoxNode* chosen = nullptr;
    for (const BoxNode& box : fleet) {
        if (may_be_parked(box, fleet) && (chosen == nullptr || work_of(box) < work_of(*chosen))) {
            chosen = &box;
        }
    }
    return chosen != nullptr && chosen->is_self ? nullptr : chosen;
}

const BoxNode* to_wake(std::span<const BoxNode> fleet, const WakesFailed& failed) {
    const auto rank = [&](const BoxNode& box) {
        const auto last = failed.find(box.row.box);
        return std::tuple(last == failed.end() ? 0 : last->second, -need_of(box, fleet),
                          box.row.box.value);
    };
    const BoxNode* chosen = nullptr;
    for (const BoxNode& box : fleet) {
        if (box.row.life == BoxLife::parked && (chosen == nullptr || rank(box) < rank(*chosen))) {
            chosen = &box;
        }
    }
    return chosen;
}

}  // namespace smsrack::cluster
