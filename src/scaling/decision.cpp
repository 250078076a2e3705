#include "src/scaling/decision.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace smsrack::scaling {
namespace {

std::string reason(Rule rule, const Decision& decision, const ScalingRules& rules) {
    const double busy = rules.busy * 100;
    const double idle = rules.idle * 100;
    const auto of_samples = [&](std::string_view what) {
        return fmt::format("in {} of {} samples {}",
                           decision.indicators.counts.at(static_cast<std::size_t>(rule)),
                           decision.indicators.samples, what);
    };
    switch (rule) {
        case Rule::out_flow:
            return of_samples(fmt::format("the nodes had above {:.0f} % to do", busy));
        case Rule::out_store:
            return of_samples(fmt::format("the store was filled above {:.0f} %", busy));
        case Rule::out_forecast:
            return of_samples(
                fmt::format("the forecast was above {:.0f} % of what they carry", busy));
        case Rule::in_flow:
            return of_samples(fmt::format("the nodes had below {:.0f} % to do", idle));
        case Rule::in_store:
            return of_samples(fmt::format("the store was filled below {:.0f} %", idle));
        case Rule::crash:
            return "a node crashed";
        case Rule::early:
            return "taken at once, since this window can't come out otherwise";
        case Rule::late:
            return "put off until borrowed node-hours were paid back";
        case Rule::kept:
            return "not followed, since the next window would undo it";
        case Rule::promise:
            return "the work ahead would take too much of the promised time (sla_ms)";
    }
    return {};
}

}  // namespace

std::string_view name_of(Rule rule) {
    static constexpr std::array<std::string_view, rule_count> names{
        "out_flow", "out_store", "out_forecast", "in_flow", "in_store",
        "crash",    "early",     "late",         "kept",    "promise"};
    return names.at(static_cast<std::size_t>(rule) - 1);
}

std::string_view word_of(Rule rule) {
    return rule < Rule::crash ? std::string_view{} : name_of(rule);
}

std::string words(const Decision& decision, const ScalingRules& rules) {
    std::string text = decision.y == decision.n ? fmt::format("stays at {}", decision.n)
                                                : fmt::format("{} -> {}", decision.n, decision.y);
    std::string_view before = ": ";
    for (const Rule rule : decision.rules) {
        text += before;
        text += reason(rule, decision, rules);
        before = "; ";
    }
    if (decision.rules.empty()) {
        return text + ": the nodes are neither busy nor idle";
    }
    const auto has = [&](Rule rule) {
        return std::ranges::find(decision.rules, rule) != decision.rules.end();
    };
    if (decision.y != decision.n || has(Rule::late) || has(Rule::kept)) {
        return text;
    }
    const bool out =
        decision.rules.front() <= Rule::out_forecast || has(Rule::crash) || has(Rule::promise);
    if (out && decision.n >= rules.n_max) {
        return text + fmt::format("; but {} are all there are", rules.n_max);
    }
    if (!out && decision.n <= rules.n_min) {
        return text + fmt::format("; but {} is the fewest allowed", rules.n_min);
    }
    return text + "; there is nothing further to do";
}

}  // namespace smsrack::scaling
