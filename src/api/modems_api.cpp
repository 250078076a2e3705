#include "src/api/calls.hpp"
#include "src/api/rack_json.hpp"
#include "src/api/text.hpp"

#include <algorithm>
#include <vector>

namespace smsrack::api {
namespace {

void append_modem(wire::JsonWriter& json, const ports::LineView& line) {
    json.member("name", line.name);
    json.member("port", line.port);
    json.member("group", line.group);
    member_or_null(json, "imei", line.identity.imei);
    member_or_null(json, "imsi", line.identity.imsi);
    member_or_null(json, "iccid", line.identity.iccid);
    member_or_null(json, "number", valid_text(line.identity.number));
    member_or_null(json, "operator", valid_text(line.operator_name));
    member_or_null(json, "model", valid_text(line.identity.model));
    member_or_null(json, "revision", valid_text(line.identity.revision));
    json.member("signal_dbm", line.signal_dbm);
    json.member("registration", registration_name(line.registration));
    json.member("state", ports::line_life_name(line.life));
    json.member("link", link_name(line.link));
    json.member("manual", line.manual == ports::ManualState::open ? "open" : "blocked");
    json.member("parked", line.parked);
    json.member("drained", line.drained);
    json.member("busy", line.busy);
    json.member("accepted", line.accepted);
    json.member("failed", line.failed);
    json.member("received", line.received);
    json.member("in_flight", line.in_flight);
    json.member("sim_used", line.sim_used);
    json.member("sim_total", line.sim_total);
    json.object_or_null("quota_left", line.quota, [&](const ports::QuotaView& quota) {
        for (std::size_t i = 0; i < quota_window_count; ++i) {
            if (const auto left = quota.left.at(i)) {
                json.member(quota_window_names.at(i), *left);
            }
        }
    });
    json.object_or_null("paused", line.pause, [&](const auto& pause) {
        json.member("reason", pause.reason);
        member_or_null(json, "until", pause.until);
    });
    member_or_null(json, "listens_at", line.listens_at);
    json.array("fallbacks", ports::fallback_rows, [&](const ports::FallbackRow& row) {
        if (line.fallbacks.*row.what) {
            json.value(row.name());
        }
    });
    member_or_null(json, "reason", line.reason);
    member_or_null(json, "detail", valid_text(line.detail));
}

}  // namespace

void list_modems(Call call) {
    answer_json(call, wire::json_object([&](wire::JsonWriter& json) {
                    json.objects("modems", call.parts.rack.lines(),
                                 [&](const ports::LineView& line) { append_modem(json, line); });
                }));
}

void get_modem(Call call) {
    const std::vector<ports::LineView> lines = call.parts.rack.lines();
    const auto line = std::ranges::find(lines, call.argument, &ports::LineView::name);
    if (line == lines.end()) {
        return answer_problem(call, no_such_modem(call));
    }
    answer_json(call,
                wire::json_object([&](wire::JsonWriter& json) { append_modem(json, *line); }));
}

}  // namespace smsrack::api
