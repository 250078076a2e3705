#include "src/api/cluster_json.hpp"

#include "src/api/text.hpp"
#include "src/base/time_text.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::api {
namespace {

/// Of the fleet for what this box accepts now.
std::string_view kept_now(const ports::FleetFacts& facts) {
    const Kept kept = facts.away ? Kept::here : facts.two_disks ? Kept::cluster : Kept::one_disk;
    return kept_names.at(static_cast<std::size_t>(kept));
}

std::string_view state_of(const ports::BoxSeen& box, const ports::FleetFacts& facts) {
    if (box.row.life == ports::BoxLife::running && box.silent >= facts.lease) {
        return "silent";
    }
    return ports::box_life_names.at(static_cast<std::size_t>(box.row.life));
}

double rounded(double value) {
    constexpr double thousand = 1'000;
    return std::round(value * thousand) / thousand;
}

std::optional<double> rounded(std::optional<double> value) {
    return value ? std::optional(rounded(*value)) : std::nullopt;
}

void append_scaling(wire::JsonWriter& json, const ports::FleetScalingView& scaling) {
    json.member("enabled", scaling.enabled);
    json.member("can_order", scaling.can_order);
    json.member("nodes", scaling.nodes);
    json.member("n_min", scaling.n_min);
    json.member("n_max", scaling.n_max);
    json.member("load", rounded(scaling.load));
    json.member("node_rate", rounded(scaling.node_rate));
    json.member("forecast", rounded(scaling.forecast));
    json.member("decisions", scaling.decisions);
    member_or_null(json, "decision", valid_text(scaling.decision));
    member_or_null(json, "decided_by", scaling.decided_by);
    member_or_null(json, "trouble", valid_text(scaling.trouble));
}

std::int64_t seconds_of(std::chrono::milliseconds time) {
    return std::chrono::floor<std::chrono::seconds>(time).count();
}

}  // namespace

void append_box(wire::JsonWriter& json, const ports::BoxSeen& box, const ports::FleetFacts& facts) {
    const ports::BoxRow& row = box.row;
    json.member("name", row.name);
    json.member("number", row.box.value);
    member_or_null(json, "site", row.site);
    json.member("state", state_of(box, facts));
    json.member("self", box.is_self);
    json.member("version", valid_text(row.report.version));
    json.member("modems", row.report.modems);
    json.member("messages_per_s", rounded(row.report.messages_per_s));
    json.member("held", row.held);
    json.member("firm", row.firm);
    json.member("epoch", row.epoch.value);
    json.member("silent_s", seconds_of(box.silent));
    json.member("engine_node", row.report.engine_node);
    member_or_null(json, "stays", valid_text(box.stays));
    json.member("put_back", row.has_put_back);
    json.member("beats", row.beats);
    member_or_null(json, "program", valid_text(box.program));
    member_or_null(json, "not_upgraded", valid_text(box.not_upgraded));
}

void append_fleet(wire::JsonWriter& json, const ports::FleetControl* fleet) {
    json.member("joined", fleet != nullptr);
    if (fleet == nullptr) {
        return;
    }
    const ports::FleetFacts facts = fleet->facts();
    json.member("name", facts.name);
    json.member("number", facts.box.value);
    member_or_null(json, "site", facts.site);
    json.member("seat", facts.seat);
    json.member("epoch", facts.epoch.value);
    member_or_null(json, "trouble", valid_text(facts.trouble));
    json.member("away_s", facts.away.transform(seconds_of));
    json.member("may_begin", facts.may_begin);
    json.member("kept", kept_now(facts));
    json.member("kept_here", facts.kept_here);
    json.member("orders_here", facts.own_rules);
    json.member("waiting", facts.waiting);
    json.member("boxes", facts.boxes.size());
    json.object("scaling", [&] { append_scaling(json, facts.scaling); });
}

void append_fleet_metrics(stats::MetricsText& text, const ports::FleetControl* fleet) {
    if (fleet == nullptr) {
        return;
    }
    const ports::FleetFacts facts = fleet->facts();
    const auto own = std::ranges::find_if(facts.boxes, &ports::BoxSeen::is_self);
    text.gauge("smsrack_cluster_seated", "1 if this box has its seat in the fleet.",
               !facts.away.has_value());
    text.gauge("smsrack_cluster_away_seconds",
               "How long the engine has not answered this box; 0: it answers.",
               facts.away ? std::chrono::duration<double>(*facts.away).count() : 0.0);
    text.gauge("smsrack_cluster_two_disks",
               "1 if a synchronous standby has what the engine commits.", facts.two_disks);
    text.gauge("smsrack_cluster_waiting", "Messages that no box of the fleet has taken yet.",
               facts.waiting);
    text.gauge("smsrack_cluster_kept_here",
               "Messages of this box that the engine does not have yet.", facts.kept_here);
    text.gauge("smsrack_cluster_orders_here",
               "Opt-outs, pauses and cancelled batches that the engine does not have yet.",
               facts.own_rules);
    text.gauge("smsrack_cluster_boxes", "Boxes of the fleet that have sent a beat in time.",
               std::ranges::count_if(facts.boxes, [&](const ports::BoxSeen& box) {
                   return box.row.life == ports::BoxLife::running && box.silent < facts.lease;
               }));
    if (facts.scaling.enabled) {
        text.gauge("smsrack_cluster_scaling_nodes", "Boxes in production, as this box counts them.",
                   facts.scaling.nodes);
        text.gauge("smsrack_cluster_scaling_load",
                   "Messages a second of the fleet, in the last sample.", facts.scaling.load);
        text.gauge("smsrack_cluster_decisions",
                   "Decisions of the fleet to park or wake a box, ever.", facts.scaling.decisions);
        text.gauge("smsrack_cluster_power_trouble",
                   "1 while a box is known that could not be woken or parked.",
                   !facts.scaling.trouble.empty());
    }
    if (own != facts.boxes.end()) {
        text.gauge("smsrack_cluster_held", "Messages that this box holds.", own->row.held);
        text.gauge("smsrack_cluster_firm", "Messages that this box alone may begin.",
                   own->row.firm);
    }
}

}  // namespace smsrack::api
