#include "src/api/modems_api.hpp"

#include "src/api/text.hpp"
#include "src/base/time_text.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::api {
namespace {

/// By window, those that have a limit.
void append_quota(wire::JsonWriter& json, const ports::LineView& line) {
    if (!line.quota) {
        json.member_null("quota_left");
        return;
    }
    json.key("quota_left");
    json.begin_object();
    for (std::size_t i = 0; i < quota_window_count; ++i) {
        if (const auto left = line.quota->left.at(i)) {
            json.member(quota_window_names.at(i), *left);
        }
    }
    json.end_object();
}

void append_pause(wire::JsonWriter& json, const ports::LineView& line) {
    if (!line.pause) {
        json.member_null("paused");
        return;
    }
    json.key("paused");
    json.begin_object();
    json.member("reason", line.pause->reason);
    member_or_null(json, "until", line.pause->until ? time_text(*line.pause->until) : "");
    json.end_object();
}

void append_modem(wire::JsonWriter& json, const ports::LineView& line) {
    json.begin_object();
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
    append_quota(json, line);
    append_pause(json, line);
    member_or_null(json, "listens_at", line.listens_at ? time_text(*line.listens_at) : "");
    member_or_null(json, "reason", line.reason);
    member_or_null(json, "detail", valid_text(line.detail));
    json.end_object();
}

}  // namespace

Error no_such_modem(const Call& call) {
    std::vector<std::string> names;
    for (const ports::LineView& line : call.parts.rack.lines()) {
        names.push_back(line.name);
    }
    return {.code = Errc::not_found,
            .context = "no modem is called " + valid_text(call.argument) + what_there_is(names)};
}

void list_modems(Call call) {
    std::string body;
    wire::JsonWriter json(body);
    json.begin_object();
    json.key("modems");
    json.begin_array();
    for (const ports::LineView& line : call.parts.rack.lines()) {
        append_modem(json, line);
    }
    json.end_array();
    json.end_object();
    answer_json(call, std::move(body));
}

void get_modem(Call call) {
    const std::vector<ports::LineView> lines = call.parts.rack.lines();
    const auto line = std::ranges::find(lines, call.argument, &ports::LineView::name);
    if (line == lines.end()) {
        answer_problem(call, no_such_modem(call));
        return;
    }
    std::string body;
    wire::JsonWriter json(body);
    append_modem(json, *line);
    answer_json(call, std::move(body));
}

std::string_view link_name(ports::LinkState link) {
    switch (link) {
        case ports::LinkState::active:
            return "active";
        case ports::LinkState::pending:
            return "pending";
        case ports::LinkState::stop:
            return "stop";
    }
    return "stop";
}

std::string_view registration_name(ports::Registration registration) {
    switch (registration) {
        case ports::Registration::not_registered:
            return "not_registered";
        case ports::Registration::home:
            return "home";
        case ports::Registration::searching:
            return "searching";
        case ports::Registration::denied:
            return "denied";
        case ports::Registration::unknown:
            return "unknown";
        case ports::Registration::roaming:
            return "roaming";
    }
    return "unknown";
}

}  // namespace smsrack::api
