#include "src/api/calls.hpp"
#include "src/api/cluster_json.hpp"
#include "src/api/metrics_parts.hpp"
#include "src/api/rack_json.hpp"
#include "src/api/webhooks/measure_all.hpp"
#include "src/api/webhooks/webhook_metrics.hpp"
#include "src/model/arrivals.hpp"
#include "src/model/mmc.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::api {
namespace {

using stats::MetricsText;
using stats::quoted_label;

constexpr double ms_per_s = 1000;
constexpr std::array<std::string_view, level_count> level_names{"0", "1", "2", "3", "4", "5", "6"};

/// What overload protection goes by.
void append_loads(MetricsText& text, const ports::RackStatus& rack) {
    const auto each = [&](const char* name, const char* help, auto value) {
        text.gauge(name, help);
        text.each("group", rack.groups, "level", level_names,
                  [&](const ports::GroupLoad& group, std::size_t level) {
                      return value(group.levels.at(level));
                  });
    };
    each("smsrack_work_ahead_segments",
         "Segments accepted and not yet taken by the network, at this level and above.",
         [](const ports::LevelLoad& load) { return load.ahead; });
    each("smsrack_expected_seconds",
         "Time to the network of a message that is accepted now, as predicted.",
         [](const ports::LevelLoad& load) {
             return load.expected_ms.transform(
                 [](auto ms) { return static_cast<double>(ms) / ms_per_s; });
         });
    each("smsrack_refusing",
         "1 if overload protection refuses messages of the group and level now.",
         [](const ports::LevelLoad& load) { return load.refuses; });
    text.gauge("smsrack_group_rate",
               "Segments per second that the modems of the group can send, as measured.");
    text.each("group", rack.groups, [](const ports::GroupLoad& group) { return group.rate; });
}

/// Where no controller runs, nothing.
void append_scaling_metrics(MetricsText& text, const ports::ScalingView& scaling) {
    if (!scaling.enabled) {
        return;
    }
    text.gauge(
        "smsrack_scaling_lines",
        "Lines that the scaling controller wants, that are in production, and that are parked.");
    text.sample(quoted_label("state", "wanted"), scaling.y == 0 ? scaling.n : scaling.y);
    text.sample(quoted_label("state", "active"), scaling.n);
    text.sample(quoted_label("state", "parked"), scaling.parked.size());
    if (scaling.t_ready) {
        text.gauge("smsrack_scaling_ready_seconds",
                   "Time that the next parked modem would take until it can send.",
                   std::chrono::duration<double>(*scaling.t_ready).count());
    }
}

/// Absent where too few windows are over.
void append_dispersion(MetricsText& text, const ports::Arrivals& arrivals) {
    if (model::pattern_of(arrivals.dispersion, arrivals.windows, arrivals.messages) !=
        model::ArrivalPattern::unknown) {
        text.gauge("smsrack_arrivals_dispersion_ratio",
                   "Variance over mean of the messages that come in 10 seconds, over the last 10 "
                   "minutes: 1 as M/M/c presumes, above in bursts.",
                   arrivals.dispersion);
    }
}

/// M/M/c next to the measurements, for the same figures.
void append_prediction(MetricsText& text, const Call& call, const ports::RackStatus& rack) {
    if (!rack.measured || rack.measured->mu <= 0) {
        return;
    }
    const auto servers = static_cast<std::uint32_t>(
        std::ranges::count_if(call.parts.rack.lines(), ports::takes_work));
    const auto predicted =
        model::mmc({.lambda = rack.rate_in, .mu = rack.measured->mu, .servers = servers});
    const auto family = [&](const char* name, const char* help, double measured,
                            double model::MmcFigures::*figure) {
        text.gauge(name, help);
        text.sample(quoted_label("of", "measured"), measured);
        if (predicted) {  // not where the load is more than the lines can send
            text.sample(quoted_label("of", "mmc"), (*predicted).*figure);
        }
    };
    family("smsrack_wait_seconds", "Mean time that a message waits for a modem (Wq).",
           rack.measured->wq_s, &model::MmcFigures::wq);
    family("smsrack_response_seconds", "Mean time from acceptance to the network (Ws).",
           rack.measured->ws_s, &model::MmcFigures::ws);
    family("smsrack_waiting_share", "Share of the messages that wait for a modem.",
           rack.measured->p_wait, &model::MmcFigures::p_wait);
}

void append_messages(MetricsText& text, const Call& call, const ports::RackStatus& rack) {
    const ports::StateCounts counts = call.parts.store.counts();
    text.gauge("smsrack_messages", "Stored messages by state.");
    for (std::size_t i = 0; i < message_state_count; ++i) {
        text.sample(quoted_label("state", message_state_names.at(i)), counts.at(i));
    }
    text.gauge("smsrack_uncertain_messages", "Messages whose outcome is unknown.",
               counts.at(static_cast<std::size_t>(MessageState::uncertain)));
    text.gauge("smsrack_queue_depth", "Queued messages by level.");
    for (std::size_t level = 0; level < level_count; ++level) {
        text.sample(quoted_label("level", level_names.at(level)), rack.levels.at(level).depth);
    }
    text.gauge("smsrack_messages_in_memory",
               "Messages with a place in memory; the rest of the queue waits on the disk.",
               rack.in_memory);
    text.gauge("smsrack_messages_with_lines", "Messages in flight on a modem, or just given to it.",
               rack.with_lines);
    text.gauge("smsrack_recent_wait_seconds",
               "Mean time from acceptance to the network over the recent messages, by level.");
    for (std::size_t level = 0; level < level_count; ++level) {
        text.sample(quoted_label("level", level_names.at(level)),
                    rack.levels.at(level).t_recent_ms.transform(
                        [](auto ms) { return static_cast<double>(ms) / ms_per_s; }));
    }
    append_loads(text, rack);
    append_dispersion(text, rack.arrivals);
    append_prediction(text, call, rack);
    text.gauge("smsrack_ready", "1 if messages are accepted and at least one group sends.",
               rack.ready);
    text.gauge("smsrack_condition",
               "1 for each thing that is wrong now; GET /v1/status has the words.");
    for (const ports::Condition& one : rack.conditions) {
        text.sample(quoted_label("condition", one.name()) + "," +
                        quoted_label("subject", one.subject) + "," +
                        quoted_label("stops", stops_name(one)) + "," +
                        quoted_label("severity", severity_name(one)),
                    1);
    }
    text.gauge("smsrack_event_subscribers", "Clients that listen to events.",
               call.parts.events.subscribers());
}

/// `rows`: of all clients. The names are no label: there may be many.
void append_clients(MetricsText& text, const notify::FrontEnds& here,
                    const std::vector<ports::ClientRow>& rows) {
    const auto [active, pending] = here.counts();
    text.gauge("smsrack_clients", "Named clients by the state of their link.");
    text.sample(quoted_label("state", "active"), active);
    text.sample(quoted_label("state", "pending"), pending);
    text.sample(quoted_label("state", "stop"),
                rows.size() - std::min(rows.size(), active + pending));
    ports::ClientRow sum;
    std::int64_t blocked = 0;
    for (const ports::ClientRow& row : rows) {
        sum.buffered += row.buffered;
        sum.lost += row.lost;
        blocked += row.blocked_at ? 1 : 0;
    }
    text.gauge("smsrack_clients_blocked", "Named clients whose messages an operator refuses.",
               blocked);
    text.gauge("smsrack_client_results_buffered",
               "Events of the messages of named clients that these have not acknowledged.",
               sum.buffered);
    text.gauge("smsrack_client_results_lost",
               "Those that were removed for their age before their client took them.", sum.lost);
}

/// What the store is asked; empty where it can't be read.
struct StoreSeen {
    std::vector<ports::ClientRow> clients = {};
    std::optional<WallTime> oldest = {};  ///< since when the message waits that waits longest
};

Result<StoreSeen> ask_store(ports::StoreReader& reader) {
    auto clients = reader.clients({}, ports::clients_max);
    if (!clients) {
        return std::unexpected(std::move(clients.error()));
    }
    const auto oldest = reader.longest_waiting();
    return StoreSeen{.clients = *std::move(clients), .oldest = oldest.value_or(std::nullopt)};
}

std::string metrics_of(const Call& call, const StoreSeen& seen,
                       const std::vector<webhook::Measured>& webhooks) {
    std::string body;
    MetricsText text(body);
    const ports::RackStatus rack = call.parts.rack.status();
    text.gauge("smsrack_build_info", "Always 1; the label says which version runs.");
    text.sample(quoted_label("version", call.settings.version), 1);
    text.gauge("smsrack_uptime_seconds", "Since the start of the service.",
               std::chrono::duration<double>(call.parts.clock.steady() - call.started_at).count());
    append_messages(text, call, rack);
    append_scaling_metrics(text, call.parts.rack.scaling());
    append_line_metrics(text, call.parts.rack.lines());
    append_trigger_metrics(text, call);
    append_fleet_metrics(text, call.parts.fleet);
    append_clients(text, call.parts.front_ends, seen.clients);
    append_webhook_metrics(text, call.parts.webhooks, webhooks, call.parts.clock.wall());
    text.gauge("smsrack_oldest_waiting_seconds",
               "How long the message has waited that waits longest; 0 if none waits.",
               seconds_since(seen.oldest, call.parts.clock.wall()).value_or(0));
    text.all(call.parts.stats);
    return body;
}

}  // namespace

/// A store that can't be read leaves out what it would say: the other figures are wanted then above all.
void get_metrics(Call call) {
    auto of = std::make_shared<Call>(std::move(call));
    Executor& loop = of->parts.loop;
    of->parts.store.ask(ask_store, [&loop, of](Result<StoreSeen> seen) mutable {
        loop.post([of = std::move(of), seen = std::move(seen)] {
            measure_all(of->parts.webhooks, [of, seen](auto webhooks) {
                of->responder->send(
                    {.content_type = "text/plain; version=0.0.4; charset=utf-8",
                     .body = metrics_of(*of, seen.value_or(StoreSeen{}),
                                        webhooks.value_or(std::vector<webhook::Measured>()))});
            });
        });
    });
}

}  // namespace smsrack::api
