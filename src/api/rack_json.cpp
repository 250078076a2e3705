#include "src/api/rack_json.hpp"

#include "src/api/text.hpp"
#include "src/base/time_text.hpp"
#include "src/model/arrivals.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <fmt/format.h>
#include <optional>
#include <vector>

namespace smsrack::api {
namespace {

using model::ArrivalPattern;

ArrivalPattern pattern_of(const ports::Arrivals& arrivals) {
    return model::pattern_of(arrivals.dispersion, arrivals.windows, arrivals.messages);
}

constexpr std::array<std::string_view, 3> link_names{"active", "pending", "stop"};
constexpr std::array<std::string_view, 6> registration_names{
    "not_registered", "home", "searching", "denied", "unknown", "roaming"};

}  // namespace

Error no_such_modem(const Call& call) {
    std::vector<std::string> names;
    for (const ports::LineView& line : call.parts.rack.lines()) {
        names.push_back(line.name);
    }
    return {.code = Errc::not_found,
            .context = "no modem is called " + valid_text(call.argument) + what_there_is(names)};
}

std::string_view link_name(ports::LinkState link) {
    return link_names.at(static_cast<std::size_t>(link));
}

std::string_view registration_name(ports::Registration registration) {
    return registration_names.at(static_cast<std::size_t>(registration));
}

std::string_view severity_name(const ports::Condition& condition) {
    return ports::severity_names.at(static_cast<std::size_t>(condition.severity()));
}

std::string_view stops_name(const ports::Condition& condition) {
    return ports::stops_names.at(static_cast<std::size_t>(condition.stops));
}

std::string arrival_words(const ports::Arrivals& arrivals) {
    switch (pattern_of(arrivals)) {
        case ArrivalPattern::unknown:
            return "too few messages came so far to say how evenly they come";
        case ArrivalPattern::poisson:
            return fmt::format(
                "messages come independently of each other, as M/M/c presumes (index of dispersion "
                "{:.1f})",
                arrivals.dispersion);
        case ArrivalPattern::bursts:
            return fmt::format(
                "messages come in bursts (index of dispersion {:.1f}, where M/M/c presumes 1), so "
                "M/M/c predicts waits that are too short",
                arrivals.dispersion);
        case ArrivalPattern::regular:
            return fmt::format(
                "messages come evenly (index of dispersion {:.1f}, where M/M/c presumes 1), so "
                "M/M/c predicts waits that are too long",
                arrivals.dispersion);
    }
    return {};
}

bool breaks_model(const ports::Arrivals& arrivals) {
    const ArrivalPattern pattern = pattern_of(arrivals);
    return pattern == ArrivalPattern::bursts || pattern == ArrivalPattern::regular;
}

void append_arrivals(wire::JsonWriter& json, const ports::Arrivals& arrivals) {
    const ArrivalPattern pattern = pattern_of(arrivals);
    json.object("arrivals", [&] {
        json.member("pattern", model::arrival_names.at(static_cast<std::size_t>(pattern)));
        json.member("dispersion", pattern == ArrivalPattern::unknown
                                      ? std::nullopt
                                      : std::optional(arrivals.dispersion));
        json.member("messages", arrivals.messages);
        json.member("windows", arrivals.windows);
        json.member("window_s", arrivals.window.count());
        json.member("words", arrival_words(arrivals));
    });
}

std::optional<double> seconds_since(std::optional<WallTime> since, WallTime now) {
    return since.transform([now](WallTime from) {
        return std::max(0.0, std::chrono::duration<double>(now - from).count());
    });
}

void append_conditions(wire::JsonWriter& json, const std::vector<ports::Condition>& conditions) {
    json.objects("conditions", conditions, [&](const ports::Condition& one) {
        json.member("condition", one.name());
        json.member("severity", severity_name(one));
        json.member("subject", valid_text(one.subject));
        json.member("stops", stops_name(one));
        json.member("since", time_text(one.since));
        json.member("text", valid_text(one.text));
        json.member("advice", valid_text(one.advice));
    });
}

void append_scaling(wire::JsonWriter& json, const ports::ScalingView& view) {
    if (view.enabled) {
        json.object([&] { append_scaling_members(json, view); });
    } else {
        json.null();
    }
}

void append_scaling_members(wire::JsonWriter& json, const ports::ScalingView& view) {
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
    json.list("parked", view.parked);
}

}  // namespace smsrack::api
