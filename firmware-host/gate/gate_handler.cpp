#include "firmware-host/gate/gate_handler.hpp"

#include "firmware-host/gate/cors.hpp"
#include "firmware-host/gate/event_relay.hpp"
#include "firmware-host/gate/forward.hpp"
#include "firmware-host/gate/line_upload.hpp"
#include "firmware-host/gate/page/page.hpp"
#include "firmware-host/gate/session/same_origin.hpp"
#include "firmware-host/gate/upload.hpp"
#include "src/access/token.hpp"
#include "src/wire/problem.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace smsrack::gate {
namespace {

constexpr std::string_view no_token = "-";
constexpr std::string_view session_path = "/v1/session";
constexpr std::string_view session_front = "session ";  // of a stream's key

/// A token in a target ends in logs and histories.
std::optional<std::string_view> token_in_query(const wire::HttpRequest& request) {
    for (const auto& [name, value] : request.params) {
        if (name == "token" || name == "access_token" || value.starts_with("smsrack_")) {
            return value;
        }
    }
    return std::nullopt;
}

bool is_event_stream(const wire::HttpRequest& request) {
    return (request.method == "GET" || request.method == "HEAD") && request.path == "/v1/events";
}

bool names_client(const wire::HttpRequest& request) {
    return !request.header("smsrack-client").empty() ||
           std::ranges::any_of(request.params,
                               [](const auto& param) { return param.first == "client"; });
}

bool is_submit(const wire::HttpRequest& request) {
    return request.method == "POST" && request.path == "/v1/messages";
}

/// What a request with the login of a browser must show besides its cookie. SameSite is no help against a page at another
/// port of this host, or at another name of its domain.
/// Errors:  forbidden.
Result<> may_with_cookie(const wire::HttpRequest& request, bool tls) {
    if (request.method != "GET" && request.method != "HEAD") {
        return may_change(request, tls);
    }
    // Acknowledges events of the client, and replaces its stream.
    return is_event_stream(request) && names_client(request) ? comes_from_page(request, tls)
                                                             : Result<>();
}

bool is_trigger_feed(const wire::HttpRequest& request) {
    return request.method == "POST" && request.path.starts_with("/v1/triggers/") &&
           request.path.ends_with("/events");
}

}  // namespace

GateHandler::GateHandler(GateHandlerParts parts) : parts_(std::move(parts)) {}

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
    if (has_token_in_query(request, *answer)) {
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
    const auto caller = caller_of(request, *answer);
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
    name_caller(login->token, *answer);
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
    if (has_token_in_query(head, *answer)) {
        return nullptr;
    }
    const auto caller = caller_of(head, *answer);
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
    const WallTime now = parts_.link.clock.wall();
    open_.cut_unless([&](const std::string& key) {
        if (key.starts_with(session_front)) {
            return parts_.logins.is_open(std::string_view(key).substr(session_front.size()));
        }
        return key == no_token || parts_.tokens.find(key, now) != nullptr;
    });
}

/// True, and answered: it has one.
bool GateHandler::has_token_in_query(const wire::HttpRequest& request, Answer& answer) const {
    const auto shown = token_in_query(request);
    if (!shown) {
        return false;
    }
    const access::Token* const token =
        parts_.tokens.find(access::token_hash(*shown), parts_.link.clock.wall());
    parts_.answers.log.warn("token_in_query",
                            {{"token", token == nullptr ? "-" : token->name},
                             {"account", answer.client().network},
                             {"advice", "it may be in logs now; revoke it and make another"}});
    answer.fail({.code = Errc::bad_request,
                 .context = "a token belongs in the header Authorization; this one may be "
                            "in logs now, revoke it"});
    return true;
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

std::string GateHandler::Caller::key() const {
    return session.empty() ? token : std::string(session_front) + session;
}

std::optional<GateHandler::Caller> GateHandler::caller_of(const wire::HttpRequest& request,
                                                          Answer& answer) {
    if (const std::string_view shown = request.header("authorization"); !shown.empty()) {
        return with_token(shown, answer);
    }
    if (const auto login = parts_.logins.of(request); login || parts_.is_own) {
        return with_login(request, login, answer);
    }
    if (!request.peer->certificate.empty()) {
        return with_certificate(request, answer);
    }
    return Caller{.token = std::string(no_token)};
}

ServiceRequest GateHandler::order_of(const wire::HttpRequest& request, const Caller& caller,
                                     const Answer& answer) {
    ServiceRequest order = service_request(request, caller.token);
    order.set("smsrack-address", answer.client().address);
    return order;
}

std::optional<GateHandler::Caller> GateHandler::with_token(std::string_view shown, Answer& answer) {
    if (parts_.wrong.must_wait(answer)) {
        return std::nullopt;
    }
    const auto bearer = access::bearer_token(shown);
    std::string hash = access::token_hash(bearer.value_or(shown));  // as long for a malformed one
    const access::Token* const token = parts_.tokens.find(hash, parts_.link.clock.wall());
    if (!bearer || token == nullptr) {
        parts_.wrong.refuse(answer);
        return std::nullopt;
    }
    answer.of(token->name);
    return Caller{.token = std::move(hash)};
}

/// A browser shows a certificate to whatever page asks it to call us, as it does with a cookie.
std::optional<GateHandler::Caller> GateHandler::with_certificate(const wire::HttpRequest& request,
                                                                 Answer& answer) {
    const access::Token* const token =
        parts_.tokens.named(request.peer->certificate, parts_.link.clock.wall());
    if (token == nullptr) {
        parts_.link.metrics.refused_token();
        answer.fail({.code = Errc::unauthorized, .context = std::string(access::unknown_token)});
        return std::nullopt;
    }
    answer.of(token->name);
    const bool is_browser =
        !request.header("sec-fetch-site").empty() || !request.header("origin").empty();
    if (is_browser && !check_browser(request, answer)) {
        return std::nullopt;
    }
    return Caller{.token = token->hash};
}

std::optional<GateHandler::Caller> GateHandler::with_login(const wire::HttpRequest& request,
                                                           const std::optional<Login>& login,
                                                           Answer& answer) {
    if (!login) {
        answer.fail({.code = Errc::unauthorized,
                     .context = "this dashboard is for the browser that was logged in by the "
                                "address which `smsrack dashboard` printed"});
        return std::nullopt;
    }
    name_caller(login->token, answer);
    if (!check_browser(request, answer)) {
        return std::nullopt;
    }
    return Caller{.token = login->token, .session = login->session};
}

/// False, and answered: another page may have made the browser call.
bool GateHandler::check_browser(const wire::HttpRequest& request, Answer& answer) const {
    const auto allowed = may_with_cookie(request, parts_.answers.tls);
    if (!allowed) {
        answer.fail(allowed.error());
    }
    return allowed.has_value();
}

/// For the log, and for the limits of a token.
void GateHandler::name_caller(const std::string& token, Answer& answer) const {
    const access::Token* const found = parts_.tokens.find(token, parts_.link.clock.wall());
    answer.of(found == nullptr ? "own" : found->name);
}

std::string GateHandler::fresh_ref() {
    return fmt::format("gate-{:016x}{:016x}", parts_.random.next(), parts_.random.next());
}

}  // namespace smsrack::gate
