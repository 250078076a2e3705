#include "src/api/self_sms_api.hpp"

#include "src/api/problem.hpp"
#include "src/api/text.hpp"
#include "src/base/time_text.hpp"
#include "src/wire/json_writer.hpp"

#include <string>
#include <utility>

namespace smsrack::api {
namespace {

std::string body_of(const ports::SelfSmsOrdered& ordered) {
    std::string body;
    wire::JsonWriter json(body);
    json.begin_object();
    json.member("id", id_text(ordered.id));
    json.member("group", ordered.group);
    json.member("to", ordered.to);
    json.member("expires_at", time_text(ordered.expires_at));
    json.end_object();
    return body;
}

}  // namespace

void post_self_sms(Call call) {
    if (!call.request.body.empty() && call.request.body != "{}") {
        answer_problem(call, {.code = Errc::bad_request, .context = "the body is {}, or none"});
        return;
    }
    if (call.parts.self_sms == nullptr) {
        answer_problem(call, {.code = Errc::conflict, .context = "this program sends none"});
        return;
    }
    call.parts.self_sms->order_self_sms([&loop = call.parts.loop, responder = call.responder](
                                            Result<ports::SelfSmsOrdered> ordered) mutable {
        loop.post([responder = std::move(responder), ordered = std::move(ordered)] {
            responder->send(ordered ? wire::HttpResponse{.status = 202, .body = body_of(*ordered)}
                                    : problem(ordered.error()));
        });
    });
}

}  // namespace smsrack::api
