#include "firmware-host/gate/gate_handler.hpp"

#include "firmware-host/gate/event_relay.hpp"
#include "firmware-host/gate/forward.hpp"
#include "firmware-host/gate/line_upload.hpp"
#include "firmware-host/gate/page/page.hpp"
#include "firmware-host/gate/upload.hpp"
#include "src/access/token.hpp"
#include "src/wire/problem.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace smsrack::gate {
namespace {

constexpr std::string_view no_token = "-";

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

bool is_submit(const wire::HttpRequest& request) {
    return request.method == "POST" && request.path == "/v1/messages";
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
        return answer->send(*std::move(page));
    }
    const bool streams = is_event_stream(request);
    auto order = admit(request, streams ? streams_ : calls_, *answer);
    if (!order) {
        return;
    }
    if (streams) {
        open_.add(std::string(order->token()), responder);
        const bool is_named = !request.header("smsrack-client").empty() ||
                              std::ranges::any_of(request.params, [](const auto& param) {
                                  return param.first == "client";
                              });
        EventRelay::start(parts_.link, *std::move(order), is_named, std::move(answer));
        return;
    }
    const bool needs_ref = wants_ref(request);
    if (needs_ref) {
        order->set("idempotency-key", fresh_ref());
    }
    Forward::Order forward{.request = order->with(request.body),
                           .may_repeat = order->method == "GET" || is_submit(request),
                           .is_safe = order->method == "GET" || (is_submit(request) && !needs_ref)};
    if (request.path == "/metrics") {
        forward.more = [this] { return parts_.link.metrics.text(parts_.connections()); };
    }
    Forward::start(parts_.link, std::move(forward), std::move(answer));
}

std::unique_ptr<wire::BodyReader> GateHandler::stream(wire::HttpRequest head,
                                                      wire::ResponderPtr responder) {
    auto answer = answer_of(head, responder);
    if (has_token_in_query(head, *answer)) {
        return nullptr;
    }
    const auto order = admit(head, calls_, *answer);
    if (!order) {
        return nullptr;
    }
    open_.add(std::string(order->token()), responder);
    return is_submit(head)
               ? LineUpload::start(
                     parts_.link, *order, [this] { return fresh_ref(); }, std::move(answer))
               : Upload::start(parts_.link, *order, std::move(answer));
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
    parts_.link.metrics.request("refused", status);
    return response;
}

void GateHandler::tokens_changed() {
    const WallTime now = parts_.link.clock.wall();
    open_.cut_unless([&](const std::string& token) {
        return token == no_token || parts_.tokens.find(token, now) != nullptr;
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
                 .context = "a token belongs into the header Authorization; this one may be "
                            "in logs now, revoke it"});
    return true;
}

std::optional<ServiceRequest> GateHandler::admit(const wire::HttpRequest& request, Places& places,
                                                 Answer& answer) {
    auto token = token_of(request, answer);
    if (!token) {
        return std::nullopt;
    }
    auto place = places.take(answer.token_name(), answer.client().network);
    if (!place) {
        constexpr std::chrono::seconds retry_later{5};
        answer.fail({.code = Errc::overloaded,
                     .context = "too many calls or streams of this token, of this address, or of "
                                "all are under way; end some first",
                     .retry_after = retry_later});
        return std::nullopt;
    }
    answer.keep(std::move(place));
    return service_request(request, *std::move(token));
}

/// Its hash, or "-" if the request has none; nullopt, and answered: it does not count.
std::optional<std::string> GateHandler::token_of(const wire::HttpRequest& request, Answer& answer) {
    const std::string_view shown = request.header("authorization");
    if (shown.empty()) {
        return std::string(no_token);
    }
    const ClientPlace& client = answer.client();
    const SteadyTime now = parts_.link.clock.steady();
    if (const auto wait = wrong_.wait_of(client.network, now)) {
        wire::HttpResponse response = wire::problem(
            429, Errc::overloaded, "too many wrong tokens came from this address; wait");
        response.headers.push_back({"Retry-After", std::to_string(wait->count())});
        answer.send(std::move(response));
        return std::nullopt;
    }
    const auto bearer = access::bearer_token(shown);
    std::string hash = access::token_hash(bearer.value_or(shown));  // as long for a malformed one
    const access::Token* const token = parts_.tokens.find(hash, parts_.link.clock.wall());
    if (!bearer || token == nullptr) {
        parts_.link.metrics.refused_token();
        // A proxy that does not say whose call it is: its other clients need not wait.
        if (!parts_.addresses.is_trusted(client.address) && wrong_.add(client.network, now)) {
            parts_.answers.log.warn(
                "wrong_tokens",
                {{"address", parts_.answers.log_addresses ? client.address : std::string("-")},
                 {"account", client.network},
                 {"detail", "too many from one address; it must wait"}});
        }
        answer.fail({.code = Errc::unauthorized, .context = std::string(access::unknown_token)});
        return std::nullopt;
    }
    answer.of(token->name);
    return hash;
}

std::string GateHandler::fresh_ref() {
    return fmt::format("gate-{:016x}{:016x}", parts_.random.next(), parts_.random.next());
}

}  // namespace smsrack::gate
