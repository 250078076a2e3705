#include "src/api/calls.hpp"
#include "src/api/query.hpp"
#include "src/api/text.hpp"
#include "src/base/time_text.hpp"
#include "src/ports/box_view.hpp"
#include "src/ports/modem_reason.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::api {
namespace {

/// As `smsrack doctor` has it.
struct Finding {
    std::string subject = {};
    std::string problem = {};  ///< empty: all is well
    std::string text = {};
    std::string advice = {};
};

bool has_condition(const std::vector<ports::Condition>& conditions, std::string_view subject) {
    return std::ranges::any_of(conditions,
                               [&](const ports::Condition& one) { return one.subject == subject; });
}

Finding finding_of(const ports::Condition& one) {
    const ports::ConditionObject object = one.object();
    return {.subject = object.kind == "modem" ? std::string(object.name) : one.subject,
            .problem = std::string(one.name()),
            .text = fmt::format("{} (since {})", one.text, time_text(one.since)),
            .advice = one.advice};
}

/// A modem without a condition: it sends, or it does not and that has not lasted long enough to be one.
Finding finding_of(const ports::LineView& line) {
    if (line.link == ports::LinkState::active || line.listens_at) {
        const std::string signal =
            line.signal_dbm ? fmt::format(", {} dBm", *line.signal_dbm) : std::string();
        return {
            .subject = line.name,
            .text = line.link == ports::LinkState::active
                        ? fmt::format("active on {}, {}{}", line.port, line.operator_name, signal)
                        : line.detail};
    }
    const ports::ModemReason* const reason = ports::find_modem_reason(line.reason);
    return {.subject = line.name,
            .problem = line.reason.empty() ? "not_active" : line.reason,
            .text = line.detail.empty() ? "the modem is not active" : line.detail,
            .advice = ports::advice_for(reason == nullptr ? ports::other_modem_reason : *reason,
                                        line.name)};
}

void add_box(const Call& call, const std::vector<ports::Condition>& conditions,
             std::vector<Finding>& findings) {
    if (call.parts.box == nullptr) {
        return;
    }
    const ports::BoxFacts facts = call.parts.box->facts();
    if (facts.disk && !has_condition(conditions, "disk")) {
        findings.push_back(
            {.subject = "disk", .text = ports::room_text(*facts.disk, facts.state_dir)});
    }
    if (!has_condition(conditions, "clock")) {
        findings.push_back({.subject = "clock", .text = time_text(call.parts.clock.wall())});
    }
    if (!has_condition(conditions, "configuration")) {
        findings.push_back(
            {.subject = "configuration", .text = call.parts.box->configuration_file()});
    }
}

std::vector<Finding> findings_of(const Call& call) {
    const auto conditions = call.parts.rack.status().conditions;
    const auto lines = call.parts.rack.lines();
    std::vector<Finding> findings{
        {.subject = "service", .text = "smsrack " + call.settings.version + " answers"}};
    add_box(call, conditions, findings);
    for (const ports::Condition& one : conditions) {
        findings.push_back(finding_of(one));
    }
    for (const ports::LineView& line : lines) {
        if (!has_condition(conditions, "modem " + line.name)) {
            findings.push_back(finding_of(line));
        }
    }
    return findings;
}

}  // namespace

/// What the service can see of `smsrack doctor`: not the ports by themselves, nor the rights of other accounts.
void get_doctor(Call call) {
    if (const auto known = check_params(call.request, {}); !known) {
        return answer_problem(call, known.error());
    }
    const std::vector<Finding> findings = findings_of(call);
    answer_json(call, wire::json_object([&](wire::JsonWriter& json) {
                    json.member("ok", std::ranges::all_of(findings, [](const Finding& one) {
                                    return one.problem.empty();
                                }));
                    json.objects("findings", findings, [&](const Finding& one) {
                        json.member("subject", valid_text(one.subject));
                        json.member("ok", one.problem.empty());
                        member_or_null(json, "problem", valid_text(one.problem));
                        json.member("text", valid_text(one.text));
                        json.member("advice", valid_text(one.advice));
                    });
                }));
}

}  // namespace smsrack::api
