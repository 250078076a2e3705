#include "src/api/metrics_api.hpp"

#include "src/api/modems_api.hpp"
#include "src/api/trigger_feeds.hpp"
#include "src/api/trigger_json.hpp"
#include "src/model/arrivals.hpp"
#include "src/model/mmc.hpp"
#include "src/stats/metrics_text.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::api {
namespace {

using stats::MetricKind;
using stats::MetricsText;
using stats::quoted_label;

void append_service(MetricsText& text, const Call& call) {
    text.family("smsrack_build_info", MetricKind::gauge,
                "Always 1; the label says which version runs.");
    text.sample(quoted_label("version", call.settings.version), std::int64_t{1});
    text.family("smsrack_uptime_seconds", MetricKind::gauge, "Since the start of the service.");
    text.sample("",
                std::chrono::duration<double>(call.parts.clock.steady() - call.started_at).count());
}

std::string place_label(const ports::GroupLoad& group, std::size_t level) {
    return quoted_label("group", group.name) + "," + quoted_label("level", std::to_string(level));
}

/// What overload protection goes by.
void append_loads(MetricsText& text, const ports::RackStatus& rack) {
    const auto each = [&](auto append) {
        for (const ports::GroupLoad& group : rack.groups) {
            for (std::size_t level = 0; level < level_count; ++level) {
                append(place_label(group, level), group.levels.at(level));
            }
        }
    };
    text.family("smsrack_work_ahead_segments", MetricKind::gauge,
                "Segments accepted and not yet taken by the network, at this level and above.");
    each([&](const std::string& label, const ports::LevelLoad& load) {
        text.sample(label, load.ahead);
    });
    text.family("smsrack_expected_seconds", MetricKind::gauge,
                "Time to the network of a message that is accepted now, as predicted.");
    each([&](const std::string& label, const ports::LevelLoad& load) {
        if (load.expected_ms) {
            text.sample(label, static_cast<double>(*load.expected_ms) / 1'000);
        }
    });
    text.family("smsrack_refusing", MetricKind::gauge,
                "1 if overload protection refuses messages of the group and level now.");
    each([&](const std::string& label, const ports::LevelLoad& load) {
        text.sample(label, std::int64_t{load.refuses});
    });
    text.family("smsrack_group_rate", MetricKind::gauge,
                "Segments per second that the modems of the group can send, as measured.");
    for (const ports::GroupLoad& group : rack.groups) {
        if (group.rate) {
            text.sample(quoted_label("group", group.name), *group.rate);
        }
    }
}

/// Where no controller runs, nothing.
void append_scaling(MetricsText& text, const ports::ScalingView& scaling) {
    if (!scaling.enabled) {
        return;
    }
    text.family(
        "smsrack_scaling_lines", MetricKind::gauge,
        "Lines that the scaling controller wants, that are in production, and that are parked.");
    text.sample(quoted_label("state", "wanted"),
                std::uint64_t{scaling.y == 0 ? scaling.n : scaling.y});
    text.sample(quoted_label("state", "active"), std::uint64_t{scaling.n});
    text.sample(quoted_label("state", "parked"), static_cast<std::uint64_t>(scaling.parked.size()));
    if (scaling.t_ready) {
        text.family("smsrack_scaling_ready_seconds", MetricKind::gauge,
                    "Time that the next parked modem would take until it can send.");
        text.sample("", std::chrono::duration<double>(*scaling.t_ready).count());
    }
}

/// Absent where too few windows are over.
void append_arrivals(MetricsText& text, const ports::Arrivals& arrivals) {
    if (model::pattern_of(arrivals.dispersion, arrivals.windows, arrivals.messages) !=
        model::ArrivalPattern::unknown) {
        text.family("smsrack_arrivals_dispersion_ratio", MetricKind::gauge,
                    "Variance over mean of the messages that come in 10 seconds, over the last 10 "
                    "minutes: 1 as M/M/c presumes, above in bursts.");
        text.sample("", arrivals.dispersion);
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
        text.family(name, MetricKind::gauge, help);
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
    text.family("smsrack_messages", MetricKind::gauge, "Stored messages by state.");
    for (std::size_t i = 0; i < message_state_count; ++i) {
        text.sample(quoted_label("state", message_state_names.at(i)), counts.at(i));
    }
    text.family("smsrack_uncertain_messages", MetricKind::gauge,
                "Messages whose outcome is unknown.");
    text.sample("", counts.at(static_cast<std::size_t>(MessageState::uncertain)));
    text.family("smsrack_queue_depth", MetricKind::gauge, "Queued messages by level.");
    for (std::size_t level = 0; level < level_count; ++level) {
        text.sample(quoted_label("level", std::to_string(level)), rack.levels.at(level).depth);
    }
    text.family("smsrack_messages_in_memory", MetricKind::gauge,
                "Messages with a place in memory; the rest of the queue waits on the disk.");
    text.sample("", std::uint64_t{rack.in_memory});
    text.family("smsrack_messages_with_lines", MetricKind::gauge,
                "Messages in flight on a modem, or just given to it.");
    text.sample("", std::uint64_t{rack.with_lines});
    text.family("smsrack_recent_wait_seconds", MetricKind::gauge,
                "Mean time from acceptance to the network over the recent messages, by level.");
    for (std::size_t level = 0; level < level_count; ++level) {
        if (const auto recent = rack.levels.at(level).t_recent_ms) {
            constexpr double ms_per_s = 1000;
            text.sample(quoted_label("level", std::to_string(level)),
                        static_cast<double>(*recent) / ms_per_s);
        }
    }
    append_loads(text, rack);
    append_arrivals(text, rack.arrivals);
    append_prediction(text, call, rack);
    text.family("smsrack_ready", MetricKind::gauge,
                "1 if messages are accepted and at least one group sends.");
    text.sample("", std::int64_t{rack.ready});
    text.family("smsrack_condition", MetricKind::gauge,
                "1 for each thing that is wrong now; GET /v1/status has the words.");
    for (const ports::Condition& one : rack.conditions) {
        text.sample(
            quoted_label("condition", one.name()) + "," + quoted_label("subject", one.subject) +
                "," +
                quoted_label("stops", ports::stops_names.at(static_cast<std::size_t>(one.stops))),
            std::int64_t{1});
    }
    text.family("smsrack_event_subscribers", MetricKind::gauge, "Clients that listen to events.");
    text.sample("", static_cast<std::uint64_t>(call.parts.events.subscribers()));
}

/// One sample for each line.
template <typename Value>
void append_each(MetricsText& text, const std::vector<ports::LineView>& lines, Value value) {
    for (const ports::LineView& line : lines) {
        text.sample(quoted_label("slot", line.name), value(line));
    }
}

void append_quotas(MetricsText& text, const std::vector<ports::LineView>& lines) {
    text.family("smsrack_quota_remaining", MetricKind::gauge,
                "Segments, and recipients, that the SIM of a modem may still send to.");
    for (const ports::LineView& line : lines) {
        for (std::size_t i = 0; line.quota && i < quota_window_count; ++i) {
            if (const auto left = line.quota->left.at(i)) {
                text.sample(quoted_label("slot", line.name) + "," +
                                quoted_label("window", quota_window_names.at(i)),
                            std::int64_t{*left});
            }
        }
    }
    text.family("smsrack_quota_thresholds_total", MetricKind::counter,
                "Times that a SIM passed a threshold of a quota.");
    for (const ports::LineView& line : lines) {
        if (line.quota) {
            const std::string slot = quoted_label("slot", line.name) + ",";
            text.sample(slot + quoted_label("threshold", "soft"), line.quota->soft);
            text.sample(slot + quoted_label("threshold", "hard"), line.quota->hard);
        }
    }
    text.family(
        "smsrack_slot_paused", MetricKind::gauge,
        "1 while a modem that is ready rests: its quota is spent, or it cools after refusals.");
    append_each(text, lines, [](const auto& line) { return std::int64_t{line.pause.has_value()}; });
}

void append_lines(MetricsText& text, const std::vector<ports::LineView>& lines) {
    text.family("smsrack_slot_state", MetricKind::gauge,
                "1 for the state that the modem's link is in.");
    for (const ports::LineView& line : lines) {
        for (const auto state :
             {ports::LinkState::active, ports::LinkState::pending, ports::LinkState::stop}) {
            text.sample(
                quoted_label("slot", line.name) + "," + quoted_label("state", link_name(state)),
                std::int64_t{line.link == state});
        }
    }
    text.family("smsrack_slot_life", MetricKind::gauge,
                "1 for the lifecycle step that the modem is at.");
    for (const ports::LineView& line : lines) {
        for (std::size_t i = 0; i < ports::line_life_names.size(); ++i) {
            text.sample(quoted_label("slot", line.name) + "," +
                            quoted_label("state", ports::line_life_names.at(i)),
                        std::int64_t{static_cast<std::size_t>(line.life) == i});
        }
    }
    text.family("smsrack_slot_incidents_total", MetricKind::counter,
                "What happened to the modem, and what was tried with it; counted.");
    for (const ports::LineView& line : lines) {
        for (std::size_t i = 0; i < ports::incident_count; ++i) {
            text.sample(quoted_label("slot", line.name) + "," +
                            quoted_label("kind", ports::incident_names.at(i)),
                        line.incidents.at(i));
        }
    }
    text.family("smsrack_slot_signal_dbm", MetricKind::gauge, "Signal strength as last heard.");
    for (const ports::LineView& line : lines) {
        if (line.signal_dbm) {
            text.sample(quoted_label("slot", line.name), std::int64_t{*line.signal_dbm});
        }
    }
    text.family("smsrack_slot_registration", MetricKind::gauge,
                "3GPP TS 27.007 +CREG <stat>; 1 home, 5 roaming.");
    append_each(text, lines,
                [](const auto& line) { return static_cast<std::int64_t>(line.registration); });
    text.family("smsrack_slot_busy", MetricKind::gauge, "1 while a submit is in flight.");
    append_each(text, lines, [](const auto& line) { return std::int64_t{line.busy}; });
    text.family("smsrack_attempts_total", MetricKind::counter,
                "Segments handed to a modem, by modem and outcome.");
    for (const ports::LineView& line : lines) {
        const std::string slot = quoted_label("slot", line.name) + ",";
        text.sample(slot + quoted_label("outcome", "accepted"), line.accepted);
        text.sample(slot + quoted_label("outcome", "refused"), line.failed);
    }
    text.family("smsrack_sim_storage_used", MetricKind::gauge,
                "Places for messages on the SIM that are taken; the alarm is at 80 %.");
    for (const ports::LineView& line : lines) {
        if (line.sim_used) {
            text.sample(quoted_label("slot", line.name), std::int64_t{*line.sim_used});
        }
    }
    text.family("smsrack_sim_storage_places", MetricKind::gauge, "Places for messages on the SIM.");
    for (const ports::LineView& line : lines) {
        if (line.sim_total) {
            text.sample(quoted_label("slot", line.name), std::int64_t{*line.sim_total});
        }
    }
    text.family("smsrack_received_total", MetricKind::counter, "PDUs read and kept, by modem.");
    append_each(text, lines, [](const auto& line) { return line.received; });
}

/// A gauge: one sample for each trigger.
template <typename Value>
void append_triggers(MetricsText& text, const trigger::EngineView& view, const char* name,
                     const char* help, Value value) {
    text.family(name, MetricKind::gauge, help);
    for (const trigger::TriggerView& trigger : view.triggers) {
        text.sample(quoted_label("trigger", trigger.name), value(trigger));
    }
}

void append_triggers(MetricsText& text, const Call& call, const trigger::EngineView& view) {
    text.family("smsrack_trigger_events_total", MetricKind::counter,
                "Events by what became of them.");
    for (const trigger::TriggerView& trigger : view.triggers) {
        for (std::size_t i = 0; i < trigger::verdict_count; ++i) {
            const bool bad = i == static_cast<std::size_t>(trigger::Verdict::bad);
            text.sample(
                quoted_label("trigger", trigger.name) + "," +
                    quoted_label("verdict", trigger::verdict_names.at(i)),
                trigger.counts.by_verdict.at(i) + (bad ? call.feeds.unreadable(trigger.name) : 0));
        }
    }
    text.family("smsrack_trigger_hits_total", MetricKind::counter,
                "Filter hits by who decided them, and those that were false.");
    for (const trigger::TriggerView& trigger : view.triggers) {
        const std::string label = quoted_label("trigger", trigger.name) + ",";
        text.sample(label + quoted_label("by", "cache"), trigger.cached);
        text.sample(label + quoted_label("by", "index"), trigger.looked_up);
        text.sample(label + quoted_label("by", "index_false"), trigger.false_hits);
    }
    append_triggers(text, view, "smsrack_trigger_waiting_events", "Events taken and not decided.",
                    [](const auto& it) { return it.waiting; });
    append_triggers(text, view, "smsrack_trigger_ahead_segments",
                    "Segments of messages that wait for their batch or minute.",
                    [](const auto& it) { return it.ahead; });
    append_triggers(text, view, "smsrack_trigger_keys", "Pairs in the filters.",
                    [](const auto& it) { return sum_of(it).keys; });
    append_triggers(text, view, "smsrack_trigger_filter_bits", "Bits of the filters.",
                    [](const auto& it) { return sum_of(it).bits; });
    append_triggers(text, view, "smsrack_trigger_fill_ratio",
                    "Part of the bits that are set, in the fullest topic.",
                    [](const auto& it) { return sum_of(it).fill_max; });
    append_triggers(text, view, "smsrack_trigger_false_positive_ratio",
                    "As estimated, in the worst topic.",
                    [](const auto& it) { return sum_of(it).fp_rate_max; });
    text.family("smsrack_trigger_cache_pairs", MetricKind::gauge, "Confirmed pairs in memory.");
    text.sample("", view.cache_pairs);
    text.family("smsrack_trigger_memory_bytes", MetricKind::gauge, "Of the filters and the cache.");
    text.sample(quoted_label("of", "filters"), view.filter_octets);
    text.sample(quoted_label("of", "cache"), view.cache_octets);
    text.family("smsrack_trigger_rebuild_running", MetricKind::gauge,
                "1 while the filters are rebuilt.");
    text.sample("", std::int64_t{view.rebuild.running});
    text.family("smsrack_trigger_rebuild_rows", MetricKind::gauge,
                "Read so far, or by the last rebuild.");
    text.sample("", view.rebuild.rows);
    text.family("smsrack_trigger_rebuild_seconds", MetricKind::gauge,
                "Time that the last rebuild took.");
    text.sample("", std::chrono::duration<double>(view.rebuild.took).count());
}

/// `rows`: of all clients. The names are no label: there may be many.
void append_clients(MetricsText& text, const notify::FrontEnds& here,
                    const std::vector<ports::ClientRow>& rows) {
    const auto [active, pending] = here.counts();
    text.family("smsrack_clients", MetricKind::gauge, "Named clients by the state of their link.");
    text.sample(quoted_label("state", "active"), static_cast<std::uint64_t>(active));
    text.sample(quoted_label("state", "pending"), static_cast<std::uint64_t>(pending));
    text.sample(quoted_label("state", "stop"),
                static_cast<std::uint64_t>(rows.size() - std::min(rows.size(), active + pending)));
    ports::ClientRow sum;
    std::int64_t blocked = 0;
    for (const ports::ClientRow& row : rows) {
        sum.buffered += row.buffered;
        sum.lost += row.lost;
        blocked += row.blocked_at ? 1 : 0;
    }
    text.family("smsrack_clients_blocked", MetricKind::gauge,
                "Named clients whose messages an operator refuses.");
    text.sample("", blocked);
    text.family("smsrack_client_results_buffered", MetricKind::gauge,
                "Events of the messages of named clients that these have not acknowledged.");
    text.sample("", sum.buffered);
    text.family("smsrack_client_results_lost", MetricKind::gauge,
                "Those that were removed for their age before their client took them.");
    text.sample("", sum.lost);
}

std::string metrics_of(const Call& call, const std::vector<ports::ClientRow>& clients) {
    std::string body;
    MetricsText text(body);
    const ports::RackStatus rack = call.parts.rack.status();
    append_service(text, call);
    append_messages(text, call, rack);
    append_scaling(text, call.parts.rack.scaling());
    const std::vector<ports::LineView> lines = call.parts.rack.lines();
    append_lines(text, lines);
    append_quotas(text, lines);
    if (call.parts.triggers != nullptr) {
        append_triggers(text, call, call.parts.triggers->view());
    }
    append_clients(text, call.parts.front_ends, clients);
    text.all(call.parts.stats);
    return body;
}

}  // namespace

/// A store that can't be read leaves the clients out: the other figures are wanted then above all.
void get_metrics(Call call) {
    auto of = std::make_shared<Call>(std::move(call));
    Executor& loop = of->parts.loop;
    of->parts.store.ask(
        [](ports::StoreReader& reader) { return reader.clients({}, ports::clients_max); },
        [&loop, of](Result<std::vector<ports::ClientRow>> clients) mutable {
            loop.post([of = std::move(of), clients = std::move(clients)] {
                of->responder->send(
                    {.content_type = "text/plain; version=0.0.4; charset=utf-8",
                     .body = metrics_of(*of, clients.value_or(std::vector<ports::ClientRow>{}))});
            });
        });
}

}  // namespace smsrack::api
