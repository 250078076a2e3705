#include "src/api/metrics_parts.hpp"
#include "src/api/rack_json.hpp"

#include <array>
#include <optional>

namespace smsrack::api {
namespace {

using ports::LineView;
using stats::MetricKind;
using stats::MetricsText;

void append_quotas(MetricsText& text, const std::vector<LineView>& lines) {
    text.gauge("smsrack_quota_remaining",
               "Segments, and recipients, that the SIM of a modem may still send to.");
    text.each("slot", lines, "window", quota_window_names, [](const LineView& line, std::size_t i) {
        return line.quota ? line.quota->left.at(i) : std::nullopt;
    });
    text.family("smsrack_quota_thresholds_total", MetricKind::counter,
                "Times that a SIM passed a threshold of a quota.");
    text.each("slot", lines, "threshold", std::array{"soft", "hard"},
              [](const LineView& line, std::size_t i) {
                  return line.quota ? std::optional(i == 0 ? line.quota->soft : line.quota->hard)
                                    : std::nullopt;
              });
    text.gauge(
        "smsrack_slot_paused",
        "1 while a modem that is ready rests: its quota is spent, or it cools after refusals.");
    text.each("slot", lines, [](const LineView& line) { return line.pause.has_value(); });
}

}  // namespace

void append_line_metrics(MetricsText& text, const std::vector<LineView>& lines) {
    constexpr std::array links{ports::LinkState::active, ports::LinkState::pending,
                               ports::LinkState::stop};
    text.gauge("smsrack_slot_state", "1 for the state that the modem's link is in.");
    text.each("slot", lines, "state",
              std::array{link_name(links[0]), link_name(links[1]), link_name(links[2])},
              [&](const LineView& line, std::size_t i) { return line.link == links.at(i); });
    text.gauge("smsrack_slot_life", "1 for the lifecycle step that the modem is at.");
    text.each("slot", lines, "state", ports::line_life_names,
              [](const LineView& line, std::size_t i) {
                  return static_cast<std::size_t>(line.life) == i;
              });
    text.family("smsrack_slot_incidents_total", MetricKind::counter,
                "What happened to the modem, and what was tried with it; counted.");
    text.each("slot", lines, "kind", ports::incident_names,
              [](const LineView& line, std::size_t i) { return line.incidents.at(i); });
    text.gauge("smsrack_slot_signal_dbm", "Signal strength as last heard.");
    text.each("slot", lines, [](const LineView& line) { return line.signal_dbm; });
    text.gauge("smsrack_slot_registration", "3GPP TS 27.007 +CREG <stat>; 1 home, 5 roaming.");
    text.each("slot", lines,
              [](const LineView& line) { return static_cast<int>(line.registration); });
    text.gauge("smsrack_slot_busy", "1 while a submit is in flight.");
    text.each("slot", lines, [](const LineView& line) { return line.busy; });
    text.family("smsrack_attempts_total", MetricKind::counter,
                "Segments handed to a modem, by modem and outcome.");
    text.each(
        "slot", lines, "outcome", std::array{"accepted", "refused"},
        [](const LineView& line, std::size_t i) { return i == 0 ? line.accepted : line.failed; });
    text.gauge("smsrack_sim_storage_used",
               "Places for messages on the SIM that are taken; the alarm is at 80 %.");
    text.each("slot", lines, [](const LineView& line) { return line.sim_used; });
    text.gauge("smsrack_sim_storage_places", "Places for messages on the SIM.");
    text.each("slot", lines, [](const LineView& line) { return line.sim_total; });
    text.family("smsrack_received_total", MetricKind::counter, "PDUs read and kept, by modem.");
    text.each("slot", lines, [](const LineView& line) { return line.received; });
    append_quotas(text, lines);
}

}  // namespace smsrack::api
