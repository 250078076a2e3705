#include "src/api/calls.hpp"
#include "src/api/query.hpp"
#include "src/api/rack_json.hpp"
#include "src/api/text.hpp"
#include "src/base/time_text.hpp"

#include <algorithm>
#include <ranges>

namespace smsrack::api {
namespace {

void append_attention(wire::JsonWriter& json, const ports::Condition& one) {
    const ports::ConditionObject object = one.object();
    json.member("code", one.name());
    json.member("severity", severity_name(one));
    json.member("stops", stops_name(one));
    json.object("object", [&] {
        json.member("kind", valid_text(object.kind));
        member_or_null(json, "name", valid_text(object.name));
    });
    json.member("cause", valid_text(one.text));
    json.member("since", time_text(one.since));
    json.member("advice", valid_text(one.advice));
}

}  // namespace

/// The conditions of the rack: the list of /readyz, the metrics and `smsrack doctor`, so that none of them knows more than another.
void get_attention(Call call) {
    const auto params = page_params(call.request, {"limit"});
    if (!params) {
        return answer_problem(call, params.error());
    }
    const std::vector<ports::Condition> conditions = call.parts.rack.status().conditions;
    answer_json(call, wire::json_object([&](wire::JsonWriter& json) {
                    json.objects("attention", conditions | std::views::take(params->limit),
                                 [&](const ports::Condition& one) { append_attention(json, one); });
                    json.member("total", conditions.size());
                }));
}

}  // namespace smsrack::api
