#include "firmware-host/gate/gate_handler.hpp"

#include "firmware-host/gate/cors.hpp"
#include "firmware-host/gate/event_relay.hpp"
#include "firmware-host/gate/forward.hpp"
#include "firmware-host/gate/line_upload.hpp"
#include "firmware-host/gate/page/page.hpp"
#include "firmware-host/gate/upload.hpp"
#include "src/wire/problem.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace smsrack::gate {
namespace {

constexpr std::string_view session_path = "/v1/session";

bool is_submit(const wire::HttpRequest& request) {
    return request.method == "POST" && request.path == "/v1/messages";
}

bool is_trigger_feed(const wire::HttpRequest& request) {
    return request.method == "POST" && request.path.starts_with("/v1/triggers/") &&
           request.path.ends_with("/events");
}

}  // namespace

GateHandler::GateHandler(GateHandlerParts parts)
    : parts_(std::move(parts)),
      admission_({parts_.answers, parts_.tokens, parts_.wrong, parts_.logins, parts_.is_own}) {}

bool GateHandler::wants_stream(const wire::HttpRequest& head) const {
    return is_trigger_feed(head) ||
           (is_submit(head) && head.header("content-type").starts_with("application/x-ndjson"));
}

std::size_t GateHandler::answer_bytes(const wire::HttpRequest& request) const {
    constexpr std::size_t few_words = 2048;  // what comes of more is counted when it is there
    return few_words + page_bytes(request, page_files());
}

std::unique_ptr<Answer> GateHandler::answer_of(const wire::HttpRequest& request,
                                               wire::ResponderPtr responder) const {
    return std::make_unique<Answer>(parts_.answers, request, parts_.addresses.of(request),
                                    std::move(responder));
}

void GateHandler::handle(wire::HttpRequest request, wire::ResponderPtr responder) {
    auto answer = answer_of(request, responder);
    if (admission_.has_token_in_query(request, *answer)) {
        return;
    }
    if (auto page = page_answer(request, page_files())) {
        answer->count_as("page");  // else made-up paths, which get the page too, fill the table
        return answer->send(*std::move(page));
    }
    if (auto preflight = preflight_answer(request, parts_.answers.origins)) {
        return answer->send(*std::move(preflight));
    }
    if (request.path == session_path && request.method == "POST") {
        return log_in(request, std::move(answer));
    }
    const auto caller = admission_.caller_of(request, *answer);
    if (!caller) {
        return;
    }
    if (request.path == session_path && request.method == "DELETE") {
        return log_out(*caller, *answer);
    }
    if (is_event_stream(request)) {
        relay_events(request, *caller, responder, std::move(answer));
    } else {
        hand_on(request, *caller, std::move(answer));
    }
}

void GateHandler::relay_events(const wire::HttpRequest& request, const Caller& caller,
                               const wire::ResponderPtr& responder,
                               std::unique_ptr<Answer> answer) {
    if (!take_place(streams_, *answer)) {
        return;
    }
    open_.add(caller.key(), responder);
    ServiceRequest order = order_of(request, caller, *answer);
    EventRelay::start(parts_.link, std::move(order), names_client(request), std::move(answer));
}

void GateHandler::hand_on(const wire::HttpRequest& request, const Caller& caller,
                          std::unique_ptr<Answer> answer) {
    if (!take_place(calls_, *answer)) {
        return;
    }
    ServiceRequest order = order_of(request, caller, *answer);
    const bool needs_ref = wants_ref(request);
    if (needs_ref) {
        order.set("idempotency-key", fresh_ref());
    }
    Forward::Order forward{.request = order.with(request.body),
                           .may_repeat = order.method == "GET" || is_submit(request),
                           .is_safe = order.method == "GET" || (is_submit(request) && !needs_ref)};
    if (request.path == "/metrics") {
        forward.complete = [this](wire::HttpResponse& response) {
            response.body += parts_.link.metrics.text(parts_.connections());
            response.body += parts_.more_metrics();
        };
    }
    Forward::start(parts_.link, std::move(forward), std::move(answer));
}

/// The service says who it is that logs in, so only whom it knows gets a login.
void GateHandler::log_in(const wire::HttpRequest& request, std::unique_ptr<Answer> answer) {
    auto login = parts_.logins.try_of(request, *answer);
    if (!login) {
        return;
    }
    admission_.name_caller(login->token, *answer);
    if (!take_place(calls_, *answer)) {
        return;
    }
    const wire::HttpRequest who{.method = "GET", .path = std::string(session_path)};
    Forward::start(parts_.link,
                   {.request = service_request(who, login->token).with({}),
                    .may_repeat = true,
                    .is_safe = true,
                    .complete =
                        [this, login = *login](wire::HttpResponse& response) {
                            response.headers.push_back({"Set-Cookie", parts_.logins.begin(login)});
                            end_streams();  // of the login that the browser had
                        }},
                   std::move(answer));
}

void GateHandler::log_out(const Caller& caller, Answer& answer) {
    if (caller.session.empty()) {
        return answer.fail({.code = Errc::not_found, .context = "this caller has no login to end"});
    }
    answer.send({.headers = {{"Set-Cookie", parts_.logins.end({.token = caller.token,
                                                               .session = caller.session})}},
                 .body = "{}"});
    end_streams();
}

std::unique_ptr<wire::BodyReader> GateHandler::stream(wire::HttpRequest head,
                                                      wire::ResponderPtr responder) {
    auto answer = answer_of(head, responder);
    if (admission_.has_token_in_query(head, *answer)) {
        return nullptr;
    }
    const auto caller = admission_.caller_of(head, *answer);
    if (!caller || !take_place(calls_, *answer)) {
        return nullptr;
    }
    open_.add(caller->key(), responder);
    const ServiceRequest order = order_of(head, *caller, *answer);
    return is_submit(head)
               ? LineUpload::start(
                     parts_.link, order, [this] { return fresh_ref(); }, std::move(answer))
               : Upload::start(parts_.link, order, std::move(answer));
}

std::unique_ptr<wire::BodyReader> GateHandler::resume(std::string /*mark*/,
                                                      const wire::Peer& /*peer*/,
                                                      wire::ResponderPtr responder) {
    responder->cut();
    return nullptr;
}

wire::HttpResponse GateHandler::refusal(int status, std::string_view reason) const {
    constexpr std::chrono::seconds retry_later{5};
    wire::HttpResponse response =
        status == 503
            ? wire::problem({.code = Errc::overloaded,
                             .context = std::string(reason),
                             .retry_after = retry_later})
            : wire::problem(status, status == 413 ? Errc::payload_too_large : Errc::bad_request,
                            reason);
    add_common_headers(response, parts_.answers.tls);
    add_cors_headers_for_all(response, parts_.answers.origins);
    parts_.link.metrics.request("refused", status);
    return response;
}

void GateHandler::end_streams() {
    open_.cut_unless([&](const std::string& key) { return admission_.counts(key); });
}

bool GateHandler::take_place(Places& places, Answer& answer) {
    auto place =
        places.take(answer.token_name(), answer.client().network, answer.client().is_proxy);
    if (!place) {
        constexpr std::chrono::seconds retry_later{5};
        answer.fail({.code = Errc::overloaded,
                     .context = "too many calls or streams of this token, of this address, or of "
                                "all are under way; end some first",
                     .retry_after = retry_later});
        return false;
    }
    answer.keep(std::move(place));
    return true;
}

ServiceRequest GateHandler::order_of(const wire::HttpRequest& request, const Caller& caller,
                                     const Answer& answer) {
    ServiceRequest order = service_request(request, caller.token);
    order.set("smsrack-address", answer.client().address);
    return order;
}

std::string GateHandler::fresh_ref() {
    return fmt::format("gate-{:016x}{:016x}", parts_.random.next(), parts_.random.next());
}

}  // namespace smsrack::gate
