#include "src/api/calls.hpp"
#include "src/api/query.hpp"
#include "src/api/smpp_board.hpp"
#include "src/api/text.hpp"
#include "src/base/time_text.hpp"
#include "src/wire/json_writer.hpp"

namespace smsrack::api {
namespace {

Error no_report() {
    return {.code = Errc::not_found,
            .context =
                "the gate reports no SMPP server: smsrack-gate does not run, or smsrack.toml "
                "has no [smpp]"};
}

}  // namespace

void list_smpp(Call call) {
    if (const auto known = check_params(call.request, {}); !known) {
        return answer_problem(call, known.error());
    }
    const auto report = call.smpp.report(call.parts.clock.steady());
    if (!report) {
        return answer_problem(call, no_report());
    }
    answer_json(call, wire::json_object([&](wire::JsonWriter& json) {
                    json.member("reported_at", time_text(report->at));
                    json.array("accounts", report->accounts,
                               [&](const std::string& account) { json.raw(account); });
                }));
}

void unbind_smpp(Call call) {
    if (!call.smpp.report(call.parts.clock.steady())) {
        return answer_problem(call, no_report());
    }
    if (!call.smpp.has(call.argument)) {
        return answer_problem(call, {.code = Errc::not_found,
                                     .context = "no account of SMPP has this name: `smsrack smpp` "
                                                "lists them"});
    }
    call.smpp.ask_unbind(call.argument);
    answer_json(call, wire::json_object([&](wire::JsonWriter& json) {
                    json.member("unbinding", call.argument);
                }));
}

void post_smpp_report(Call call) {
    const auto taken =
        call.smpp.take(call.request.body, call.parts.clock.steady(), call.parts.clock.wall());
    if (!taken) {
        return answer_problem(call, taken.error());
    }
    const auto orders = call.smpp.take_orders();
    answer_json(call, wire::json_object([&](wire::JsonWriter& json) {
                    json.array("unbind", orders,
                               [&](const std::string& name) { json.value(name); });
                }));
}

}  // namespace smsrack::api
