#include "src/api/metrics_parts.hpp"
#include "src/api/triggers/trigger_feeds.hpp"
#include "src/api/triggers/trigger_json.hpp"

#include <array>
#include <chrono>

namespace smsrack::api {
namespace {

using stats::MetricKind;
using stats::MetricsText;
using trigger::TriggerView;

void append_verdicts(MetricsText& text, const Call& call, const trigger::EngineView& view) {
    text.family("smsrack_trigger_events_total", MetricKind::counter,
                "Events by what became of them.");
    text.each("trigger", view.triggers, "verdict", trigger::verdict_names,
              [&](const TriggerView& trigger, std::size_t i) {
                  const bool bad = i == static_cast<std::size_t>(trigger::Verdict::bad);
                  return trigger.counts.by_verdict.at(i) +
                         (bad ? call.feeds.unreadable(trigger.name) : 0);
              });
    text.family("smsrack_trigger_hits_total", MetricKind::counter,
                "Filter hits by who decided them, and those that were false.");
    text.each("trigger", view.triggers, "by", std::array{"cache", "index", "index_false"},
              [](const TriggerView& trigger, std::size_t i) {
                  return std::array{trigger.cached, trigger.looked_up, trigger.false_hits}.at(i);
              });
}

}  // namespace

void append_trigger_metrics(MetricsText& text, const Call& call) {
    if (call.parts.triggers == nullptr) {
        return;
    }
    const trigger::EngineView view = call.parts.triggers->view();
    const auto each = [&](const char* name, const char* help, auto value) {
        text.gauge(name, help);
        text.each("trigger", view.triggers, value);
    };
    append_verdicts(text, call, view);
    each("smsrack_trigger_waiting_events", "Events taken and not decided.",
         [](const TriggerView& it) { return it.waiting; });
    each("smsrack_trigger_ahead_segments",
         "Segments of messages that wait for their batch or minute.",
         [](const TriggerView& it) { return it.ahead; });
    each("smsrack_trigger_keys", "Pairs in the filters.",
         [](const TriggerView& it) { return sum_of(it).keys; });
    each("smsrack_trigger_filter_bits", "Bits of the filters.",
         [](const TriggerView& it) { return sum_of(it).bits; });
    each("smsrack_trigger_fill_ratio", "Part of the bits that are set, in the fullest topic.",
         [](const TriggerView& it) { return sum_of(it).fill_max; });
    each("smsrack_trigger_false_positive_ratio", "As estimated, in the worst topic.",
         [](const TriggerView& it) { return sum_of(it).fp_rate_max; });
    text.gauge("smsrack_trigger_cache_pairs", "Confirmed pairs in memory.", view.cache_pairs);
    text.gauge("smsrack_trigger_memory_bytes", "Of the filters and the cache.");
    text.sample(stats::quoted_label("of", "filters"), view.filter_octets);
    text.sample(stats::quoted_label("of", "cache"), view.cache_octets);
    text.gauge("smsrack_trigger_rebuild_running", "1 while the filters are rebuilt.",
               view.rebuild.running);
    text.gauge("smsrack_trigger_rebuild_rows", "Read so far, or by the last rebuild.",
               view.rebuild.rows);
    text.gauge("smsrack_trigger_rebuild_seconds", "Time that the last rebuild took.",
               std::chrono::duration<double>(view.rebuild.took).count());
}

}  // namespace smsrack::api
