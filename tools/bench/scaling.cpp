// Is the policy smsrack anywhere worse than the published controller? Both over the same traces.
#include "src/scaling/replay.hpp"
#include "tools/bench/questions.hpp"
#include "tools/bench/scaling_traces.hpp"
#include "tools/modem_model/faults/split_mix.hpp"

#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::bench {
namespace {

using scaling::Costs;
using scaling::PolicyName;

constexpr double rounding = 1e-9;
constexpr unsigned usual_days = 200;

struct Pair {
    Costs paper;
    Costs ours;
};

Pair both(const std::vector<scaling::Sample>& samples, const scaling::ScalingRules& rules) {
    return {.paper = replay(samples, PolicyName::paper, rules).costs,
            .ours = replay(samples, PolicyName::smsrack, rules).costs};
}

void show(Report& report, const std::string& name, const Pair& pair) {
    constexpr double to_ms = 1'000;
    const auto add = [&](const char* what, const char* unit, int decimals, double paper,
                         double ours) {
        report.figures.push_back({.name = fmt::format("{}: {}", name, what),
                                  .value = ours,
                                  .unit = unit,
                                  .decimals = decimals,
                                  .goal = at_most(paper * (1 + rounding))});
        report.broken = report.broken || ours > paper * (1 + rounding);
    };
    add("changes", "", 0, static_cast<double>(pair.paper.changes),
        static_cast<double>(pair.ours.changes));
    add("node-hours", "h", 3, pair.paper.node_hours, pair.ours.node_hours);
    add("waiting by message", "ms", 5, pair.paper.wait_by_message * to_ms,
        pair.ours.wait_by_message * to_ms);
    add("waiting by time", "ms", 5, pair.paper.wait_by_time * to_ms,
        pair.ours.wait_by_time * to_ms);
}

/// The sum over days of chance, so that the rule is not made for five traces.
Pair many_days(const scaling::ScalingRules& rules, std::size_t days, std::uint64_t seed) {
    modem_sim::SplitMix random(seed);
    Pair sum{};
    for (std::size_t day = 0; day < days; ++day) {
        auto samples = random_day(rules, random);
        const Pair pair = both(samples, rules);
        for (const auto& [total, one] :
             {std::pair(&sum.paper, &pair.paper), std::pair(&sum.ours, &pair.ours)}) {
            total->changes += one->changes;
            total->node_hours += one->node_hours;
            total->wait_by_message += one->wait_by_message / static_cast<double>(days);
            total->wait_by_time += one->wait_by_time / static_cast<double>(days);
        }
    }
    return sum;
}

}  // namespace

Result<Report> scaling(const Context& context) {
    const smsrack::scaling::ScalingRules rules;
    Report report{
        .question = "is the policy smsrack worse than the published controller anywhere?",
        .conditions = {fmt::format("{} to {} nodes of {:.0f} messages/s, a window of {} samples of "
                                   "{} s; the bound is the policy paper on the same trace",
                                   rules.n_min, rules.n_max, rules.node_rate, rules.samples,
                                   rules.period.count() / 1'000)}};
    for (const NamedTrace& trace : published_traces(rules)) {
        show(report, trace.name, both(trace.samples, rules));
    }
    const std::size_t days = context.options.messages.value_or(usual_days);
    show(report, fmt::format("{} days of chance", days),
         many_days(rules, days, context.options.seed.value_or(1)));
    report.notes.emplace_back("waiting is Wq of M/M/n at (load, F) and the fluid backlog/(nF)");
    return report;
}

}  // namespace smsrack::bench
