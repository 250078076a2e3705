#include "src/scaling/window.hpp"

#include "src/base/check.hpp"

#include <algorithm>
#include <array>

namespace smsrack::scaling {
namespace {

constexpr std::array outs{Rule::out_flow, Rule::out_store, Rule::out_forecast};
constexpr std::array ins{Rule::in_flow, Rule::in_store};

bool is_out(Rule rule) {
    return std::ranges::find(outs, rule) != outs.end();
}

}  // namespace

void Window::add(const Sample& sample, std::uint32_t nodes) {
    SMSRACK_CHECK(nodes > 0);
    const double most = rules_.node_rate;
    const double flow = sample.load / nodes;
    const double cpu = sample.cpu.value_or(flow / most);
    const auto count = [this](Rule rule, bool speaks_for_it) {
        indicators_.counts.at(static_cast<std::size_t>(rule)) += speaks_for_it ? 1 : 0;
    };
    count(Rule::out_flow, above(cpu, rules_.busy) && above(flow, most * rules_.busy));
    count(Rule::in_flow, above(rules_.idle, cpu) && above(most * rules_.idle, flow));
    if (sample.occupancy) {
        count(Rule::out_store, above(*sample.occupancy, rules_.busy));
        count(Rule::in_store, above(rules_.idle, *sample.occupancy));
    }
    if (sample.forecast) {
        count(Rule::out_forecast, above(*sample.forecast / nodes, most * rules_.busy));
    }
    indicators_.crashed = std::max(indicators_.crashed, sample.crashed);
    ++indicators_.samples;
    loads_.push_back(sample.load);
}

void Window::clear() {
    indicators_ = {};
    loads_.clear();
}

bool Window::has_fired(Rule rule) const {
    const double share = is_out(rule) ? rules_.busy : rules_.idle;
    return above(static_cast<double>(indicators_.counts.at(static_cast<std::size_t>(rule))),
                 static_cast<double>(rules_.samples) * share);
}

/// If all samples that are still to come spoke for it.
bool Window::may_fire(Rule rule) const {
    return above(
        static_cast<double>(indicators_.counts.at(static_cast<std::size_t>(rule)) + missing()),
        static_cast<double>(rules_.samples) * rules_.busy);
}

std::vector<Rule> Window::fired() const {
    std::vector<Rule> rules;
    const auto take = [&](Rule rule) {
        if (has_fired(rule)) {
            rules.push_back(rule);
        }
    };
    std::ranges::for_each(outs, take);
    if (indicators_.crashed > 0) {
        rules.push_back(Rule::crash);
    }
    std::ranges::for_each(ins, take);
    return rules;
}

int Window::x() const {
    const auto fires = [this](Rule rule) { return has_fired(rule); };
    if (indicators_.crashed > 0 || std::ranges::any_of(outs, fires)) {
        return 1;
    }
    return std::ranges::any_of(ins, fires) ? -1 : 0;
}

int Window::certain_x() const {
    const int now = x();
    const auto may = [this](Rule rule) { return may_fire(rule); };
    return now < 0 && std::ranges::any_of(outs, may) ? 0 : now;
}

std::size_t Window::samples_to_out() const {
    std::size_t enough = 0;  // samples that let a rule fire
    while (!above(static_cast<double>(enough), static_cast<double>(rules_.samples) * rules_.busy)) {
        ++enough;
    }
    std::size_t soonest = missing() + enough;
    for (const Rule rule : outs) {
        const std::size_t have = indicators_.counts.at(static_cast<std::size_t>(rule));
        const std::size_t wanted = enough - std::min(enough, have);
        soonest = wanted <= missing() ? std::min(soonest, wanted) : soonest;
    }
    return soonest;
}

bool Window::would_be_busy(std::uint32_t nodes) const {
    const double bound = nodes * rules_.node_rate * rules_.busy;
    const auto busy =
        std::ranges::count_if(loads_, [&](double load) { return above(load, bound); });
    return above(static_cast<double>(busy), static_cast<double>(loads_.size()) * rules_.busy);
}

}  // namespace smsrack::scaling
