#include "src/api/calls.hpp"
#include "src/api/query.hpp"
#include "src/api/rack_json.hpp"
#include "src/api/text.hpp"
#include "src/base/time_text.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smsrack::api {
namespace {

/// Rules of the source by their numbers, others by their words, as in `model scaling --json`.
void append_rules(wire::JsonWriter& json, std::string_view rules) {
    json.key("rules");
    json.begin_array();
    while (!rules.empty()) {
        const std::size_t comma = std::min(rules.find(','), rules.size());
        const std::string_view rule = rules.substr(0, comma);
        if (rule.size() == 1 && rule[0] >= '0' && rule[0] <= '9') {
            json.value(rule[0] - '0');
        } else {
            json.value(rule);
        }
        rules.remove_prefix(std::min(comma + 1, rules.size()));
    }
    json.end_array();
}

void append_decision(wire::JsonWriter& json, const ports::KeptDecision& decision) {
    constexpr std::array<std::string_view, 5> names{"out_flow", "out_store", "out_forecast",
                                                    "in_flow", "in_store"};
    json.member("at", time_text(decision.at));
    json.member("n", decision.n);
    json.member("x", decision.x);
    json.member("y", decision.y);
    append_rules(json, decision.rules);
    json.member("why", decision.words);
    member_or_null(json, "modem", decision.line);
    json.member("load", decision.load);
    json.member("node_rate", decision.node_rate);
    json.member("forecast", decision.forecast);
    json.object("indicators", [&] {
        json.member("samples", decision.samples);
        for (std::size_t i = 0; i < names.size(); ++i) {
            json.member(names.at(i), decision.counts.at(i));
        }
        json.member("crashed", decision.crashed);
    });
}

std::string body_of(const ports::ScalingView& view,
                    const std::vector<ports::KeptDecision>& decisions) {
    return wire::json_object([&](wire::JsonWriter& json) {
        append_scaling_members(json, view);
        json.objects("decisions", decisions,
                     [&](const ports::KeptDecision& decision) { append_decision(json, decision); });
    });
}

}  // namespace

void get_scaling(Call call) {
    const auto page = page_params(call.request, {"limit"});
    if (!page) {
        return answer_problem(call, page.error());
    }
    call.parts.rack_store.ask(
        [limit = page->limit,
         view = call.parts.rack.scaling()](ports::RackReader& reader) -> Result<std::string> {
            const auto decisions = reader.decisions(limit);
            return decisions ? Result<std::string>(body_of(view, *decisions))
                             : std::unexpected(decisions.error());
        },
        answer_on_loop<std::string>(call, [](std::string& body) { return std::move(body); }));
}

}  // namespace smsrack::api
