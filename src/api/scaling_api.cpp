#include "src/api/scaling_api.hpp"

#include "src/api/arrivals_json.hpp"
#include "src/api/problem.hpp"
#include "src/api/query.hpp"
#include "src/base/time_text.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smsrack::api {
namespace {

void append_members(wire::JsonWriter& json, const ports::ScalingView& view) {
    json.member("enabled", view.enabled);
    json.member("policy", view.policy);
    json.member("n", view.n);
    json.member("y", view.y == 0 ? std::optional<std::uint32_t>() : view.y);
    json.member("n_min", view.n_min);
    json.member("n_max", view.n_max);
    json.member("load", view.load);
    json.member("node_rate", view.node_rate);
    json.member("forecast", view.forecast);
    append_arrivals(json, view.arrivals);
    json.member("t_ready_s", view.t_ready.transform([](auto time) {
        return std::chrono::duration<double>(time).count();
    }));
    json.key("parked");
    json.begin_array();
    for (const std::string& line : view.parked) {
        json.value(line);
    }
    json.end_array();
}

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
    json.begin_object();
    json.member("at", time_text(decision.at));
    json.member("n", decision.n);
    json.member("x", decision.x);
    json.member("y", decision.y);
    append_rules(json, decision.rules);
    json.member("why", decision.words);
    json.member("modem", decision.line.empty() ? std::optional<std::string>() : decision.line);
    json.member("load", decision.load);
    json.member("node_rate", decision.node_rate);
    json.member("forecast", decision.forecast);
    json.key("indicators");
    json.begin_object();
    json.member("samples", decision.samples);
    for (std::size_t i = 0; i < names.size(); ++i) {
        json.member(names.at(i), decision.counts.at(i));
    }
    json.member("crashed", decision.crashed);
    json.end_object();
    json.end_object();
}

std::string body_of(const ports::ScalingView& view,
                    const std::vector<ports::KeptDecision>& decisions) {
    std::string body;
    wire::JsonWriter json(body);
    json.begin_object();
    append_members(json, view);
    json.key("decisions");
    json.begin_array();
    for (const ports::KeptDecision& decision : decisions) {
        append_decision(json, decision);
    }
    json.end_array();
    json.end_object();
    return body;
}

}  // namespace

void append_scaling(wire::JsonWriter& json, const ports::ScalingView& view) {
    if (!view.enabled) {
        json.null();
        return;
    }
    json.begin_object();
    append_members(json, view);
    json.end_object();
}

void get_scaling(Call call) {
    if (const auto known = check_params(call.request, {"limit"}); !known) {
        answer_problem(call, known.error());
        return;
    }
    const auto limit = limit_param(call.request);
    if (!limit) {
        answer_problem(call, limit.error());
        return;
    }
    Executor& loop = call.parts.loop;
    call.parts.rack_store.ask(
        [limit = *limit](ports::RackReader& reader) { return reader.decisions(limit); },
        [&loop, responder = call.responder, view = call.parts.rack.scaling()](
            const Result<std::vector<ports::KeptDecision>>& decisions) mutable {
            loop.post([responder = std::move(responder),
                       answer = decisions ? wire::HttpResponse{.body = body_of(view, *decisions)}
                                          : problem(decisions.error())]() mutable {
                responder->send(std::move(answer));
            });
        });
}

}  // namespace smsrack::api
