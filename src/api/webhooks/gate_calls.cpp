/// The calls by which the gate takes what it sends, and gives what came of it.
#include "src/api/calls.hpp"
#include "src/api/problem.hpp"
#include "src/api/query.hpp"
#include "src/api/text.hpp"
#include "src/api/webhooks/gate_requests.hpp"
#include "src/base/time_text.hpp"
#include "src/webhook/config_hash.hpp"
#include "src/webhook/webhooks.hpp"
#include "src/wire/json_writer.hpp"

#include <string>
#include <utility>

namespace smsrack::api {
namespace {

using webhook::TakeAnswer;

std::string answer_text(const TakeAnswer& answer) {
    return wire::json_object([&](wire::JsonWriter& json) {
        json.member("state", ports::webhook_state_names.at(static_cast<std::size_t>(answer.state)));
        json.member("parallel", answer.parallel);
        json.member("pause_ms", answer.pause.count());
        json.objects("deliveries", answer.deliveries, [&](const ports::Delivery& one) {
            json.member("event", id_text(one.what.event));
            json.member("attempt", one.attempts + 1);
            json.member("type", one.what.type);
            json.member("timestamp", time_text(one.what.at));
            json.member("body", one.what.body);
        });
        json.objects("tests", answer.tests, [&](const webhook::Test& test) {
            json.member("test", test.id);
            json.member("body", test.body);
        });
    });
}

/// In place of a take that another process of the service had: the gate takes again, and waits as it did (no "pause_ms").
constexpr std::string_view nothing_taken =
    R"({"state":"open","parallel":1,"deliveries":[],"tests":[]})";

}  // namespace

webhook::Webhook* webhook_of(const Call& call) {
    webhook::Webhook* const found =
        call.parts.webhooks == nullptr ? nullptr : call.parts.webhooks->find(call.argument);
    if (found == nullptr) {
        std::vector<std::string> names;
        if (call.parts.webhooks != nullptr) {
            for (const auto& one : call.parts.webhooks->all()) {
                names.push_back(one->settings().name);
            }
        }
        answer_problem(call,
                       Error{.code = Errc::not_found,
                             .context = "there is no webhook of this name" + what_there_is(names)});
    }
    return found;
}

void post_webhook_take(Call call) {
    webhook::Webhook* const hook = webhook_of(call);
    if (hook == nullptr) {
        return;
    }
    auto request = take_request(call.request.body);
    if (!request) {
        return answer_problem(call, request.error());
    }
    if (request->config != webhook::config_hash(hook->settings())) {
        hook->misread();
        return call.responder->send(wire::problem(
            409, "webhook_config", "Other settings",
            "gate and service have read different settings of this webhook; reload both"));
    }
    call.responder->resumable([] { return std::string(webhook_take_mark); });
    request->take.done = [responder = call.responder](const TakeAnswer& answer) {
        if (answer.superseded) {
            responder->send(wire::problem(409, "superseded", "A newer call",
                                          "a newer take of this webhook came"));
        } else {
            responder->send({.body = answer_text(answer)});
        }
    };
    request->take.gone = [responder = call.responder] { return responder->closed(); };
    hook->take(std::move(request->take));
}

void resume_webhook_take(wire::Responder& responder) {
    responder.send({.body = std::string(nothing_taken)});
}

void post_webhook_results(Call call) {
    webhook::Webhook* const hook = webhook_of(call);
    if (hook == nullptr) {
        return;
    }
    auto request = results_request(call.request.body);
    if (!request) {
        return answer_problem(call, request.error());
    }
    for (auto& [id, report] : request->tests) {
        hook->test_result(id, std::move(report));
    }
    hook->results(std::move(request->results), [call = std::move(call)](const Result<>& kept) {
        if (kept) {
            call.responder->send({.status = 204});
        } else {
            answer_problem(call, kept.error());
        }
    });
}

}  // namespace smsrack::api
