#include "src/api/calls.hpp"
#include "src/api/cluster_json.hpp"
#include "src/api/rack_json.hpp"
#include "src/api/text.hpp"
#include "src/base/time_text.hpp"
#include "src/model/mmc.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::api {
namespace {

constexpr auto levels = std::views::iota(std::size_t{0}, level_count);

/// Served per second by one busy line, as measured since the start; nothing before the first
/// segment.
std::optional<double> measured_mu(const stats::Stats& stats) {
    const auto sends = stats.histogram(stats::Timing::send).snapshot();
    const double seconds = std::chrono::duration<double>(sends.sum).count();
    if (sends.total == 0 || seconds <= 0) {
        return std::nullopt;
    }
    return static_cast<double>(sends.total) / seconds;
}

/// The prediction in words, for readers who can't interpret the figures alone.
std::string words_of(double lambda, std::optional<double> mu, std::uint32_t servers) {
    if (servers == 0) {
        return "no modem takes work";
    }
    if (!mu) {
        return "nothing was sent yet, so nothing is predicted";
    }
    const double rho = lambda / (servers * *mu);
    return rho < 1 ? fmt::format("the load is {:.0f} % of what the modems can send", 100 * rho)
                   : fmt::format(
                         "the load is {:.2f} times what the modems can send: what waits grows for "
                         "as long as that lasts",
                         rho);
}

/// What M/M/c predicts for the present load; its figures are null where the load is not below what
/// the lines can do.
void append_model(wire::JsonWriter& json, const Call& call, const ports::RackStatus& rack) {
    const double lambda = rack.rate_in;
    const std::vector<ports::LineView> lines = call.parts.rack.lines();
    const auto servers =
        static_cast<std::uint32_t>(std::ranges::count_if(lines, ports::takes_work));
    const std::optional<double> mu = rack.measured && rack.measured->mu > 0
                                         ? std::optional(rack.measured->mu)
                                         : measured_mu(call.parts.stats);
    const auto figures = model::mmc({.lambda = lambda, .mu = mu.value_or(0), .servers = servers});
    const auto member = [&](std::string_view name, double model::MmcFigures::*figure) {
        json.member(name, figures ? std::optional((*figures).*figure) : std::nullopt);
    };
    json.member("lambda", lambda);
    json.member("mu", mu);
    json.member("servers", servers);
    json.member("rho", mu && servers > 0 ? std::optional(lambda / (servers * *mu)) : std::nullopt);
    member("p0", &model::MmcFigures::p0);
    member("p_wait", &model::MmcFigures::p_wait);
    member("lq", &model::MmcFigures::lq);
    member("ls", &model::MmcFigures::ls);
    member("wq_s", &model::MmcFigures::wq);
    member("ws_s", &model::MmcFigures::ws);
    json.member("words", breaks_model(rack.arrivals) && figures
                             ? fmt::format("{}; {}", words_of(lambda, mu, servers),
                                           arrival_words(rack.arrivals))
                             : words_of(lambda, mu, servers));
    append_arrivals(json, rack.arrivals);
    json.object_or_null("measured", rack.measured, [&](const ports::MeasuredWaits& measured) {
        json.member("messages", measured.messages);
        json.member("p_wait", measured.p_wait);
        json.member("wq_s", measured.wq_s);
        json.member("ws_s", measured.ws_s);
    });
}

/// What overload protection goes by.
void append_groups(wire::JsonWriter& json, const ports::RackStatus& rack) {
    json.objects("groups", rack.groups, [&](const ports::GroupLoad& group) {
        json.member("name", group.name);
        json.member("lines", group.lines.total);
        json.member("able", group.lines.able);
        json.member("waking", group.lines.waking.size());
        json.member("parked", group.lines.parked.size());
        json.member("rate", group.rate);
        json.objects("levels", levels, [&](std::size_t level) {
            const ports::LevelLoad& load = group.levels.at(level);
            json.member("level", level);
            json.member("ahead", load.ahead);
            json.member("t_recent_ms", load.t_recent_ms);
            json.member("expected_ms", load.expected_ms);
            json.member("refuses", load.refuses);
        });
    });
}

void append_levels(wire::JsonWriter& json, const Call& call, const ports::RackStatus& rack) {
    json.objects("levels", levels, [&](std::size_t level) {
        json.member("level", level);
        json.member("depth", rack.levels.at(level).depth);
        json.member("t_recent_ms", rack.levels.at(level).t_recent_ms);
        json.member("sla_ms", call.settings.sla_ms.at(level));
    });
}

void append_pauses(wire::JsonWriter& json, std::vector<ports::Pause> pauses) {
    std::erase_if(pauses, [](const ports::Pause& pause) { return pause.cancelled; });
    json.objects("pauses", pauses, [&](const ports::Pause& pause) {
        json.member("scope", ports::pause_scope_names.at(static_cast<std::size_t>(pause.scope)));
        member_or_null(json, "name", pause.name);
        json.member("since", time_text(pause.since));
    });
}

/// Seconds since the process began, by what a submit would have been answered.
void append_availability(wire::JsonWriter& json, const stats::Stats& stats) {
    using stats::Counter;
    constexpr std::array doors{std::pair{"accepting_s", Counter::door_accepting},
                               std::pair{"some_groups_s", Counter::door_some_groups},
                               std::pair{"overloaded_s", Counter::door_overloaded},
                               std::pair{"full_s", Counter::door_full},
                               std::pair{"storage_s", Counter::door_storage},
                               std::pair{"no_answer_s", Counter::door_no_answer}};
    json.object("availability", [&] {
        for (const auto& [name, counter] : doors) {
            json.member(name, stats.value(counter));
        }
    });
}

/// `oldest`: since when the message waits that waits longest; nullopt if none does, or the store can't be read.
void answer_status(const Call& call, std::optional<WallTime> oldest) {
    const ports::RackStatus rack = call.parts.rack.status();
    const auto uptime = call.parts.clock.steady() - call.started_at;
    answer_json(call, wire::json_object([&](wire::JsonWriter& json) {
                    json.member("version", call.settings.version);
                    json.member("uptime_s",
                                std::chrono::floor<std::chrono::seconds>(uptime).count());
                    append_state_counts(json, "messages", call.parts.store.counts());
                    json.member("ready", rack.ready);
                    append_conditions(json, rack.conditions);
                    append_availability(json, call.parts.stats);
                    append_pauses(json, rack.pauses);
                    append_levels(json, call, rack);
                    json.member("oldest_waiting_s", seconds_since(oldest, call.parts.clock.wall()));
                    json.member("rate_in", rack.rate_in);
                    json.member("rate_out", rack.rate_out);
                    json.object("model", [&] { append_model(json, call, rack); });
                    append_groups(json, rack);
                    json.key("scaling");
                    append_scaling(json, call.parts.rack.scaling());
                    if (call.parts.fleet != nullptr) {
                        json.object("cluster", [&] { append_fleet(json, call.parts.fleet); });
                    }
                }));
}

}  // namespace

/// A store that can't be read leaves out how long the oldest message waits: the rest is wanted then above all.
void get_status(Call call) {
    auto of = std::make_shared<Call>(std::move(call));
    Executor& loop = of->parts.loop;
    of->parts.store.ask([](ports::StoreReader& reader) { return reader.longest_waiting(); },
                        [&loop, of](Result<std::optional<WallTime>> oldest) mutable {
                            loop.post([of = std::move(of), oldest = oldest.value_or(std::nullopt)] {
                                answer_status(*of, oldest);
                            });
                        });
}

/// 503 only for what a restart of the service can cure: a watchdog would act on it. A full disk or
/// a drained modem needs the operator.
void get_healthz(Call call) {
    const ports::RackStatus rack = call.parts.rack.status();
    const bool late = std::ranges::any_of(rack.conditions, [](const ports::Condition& one) {
        return one.kind == ports::ConditionKind::late;
    });
    const auto body = wire::json_object([&](wire::JsonWriter& json) {
        json.member("status", late ? "failing" : rack.conditions.empty() ? "ok" : "degraded");
        append_conditions(json, rack.conditions);
    });
    answer_json(call, body, late ? 503 : 200);
}

void get_readyz(Call call) {
    const ports::RackStatus rack = call.parts.rack.status();
    const auto body = wire::json_object([&](wire::JsonWriter& json) {
        json.member("ready", rack.ready);
        append_conditions(json, rack.conditions);
        if (!rack.ready) {
            json.objects("lines", call.parts.rack.lines(), [&](const ports::LineView& line) {
                json.member("name", line.name);
                json.member("link", link_name(line.link));
                member_or_null(json, "reason", line.reason);
                member_or_null(json, "detail", line.detail);
            });
        }
    });
    answer_json(call, body, rack.ready ? 200 : 503);
}

void get_openapi(Call call) {
    answer_json(call, std::string(openapi_json()));
}

}  // namespace smsrack::api
