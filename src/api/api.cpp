#include "src/api/api.hpp"

#include "src/api/audit.hpp"
#include "src/api/calls.hpp"
#include "src/api/events/event_subscription.hpp"
#include "src/api/problem.hpp"
#include "src/api/routes.hpp"
#include "src/api/submit/ndjson_submit.hpp"
#include "src/api/submit/submitter.hpp"
#include "src/api/triggers/trigger_feed.hpp"
#include "src/api/triggers/trigger_feeds.hpp"

#include <utility>

namespace smsrack::api {
namespace {

constexpr std::chrono::seconds retry_later{5};  // what an account holds is gone then, or it is cut

/// Whatever its type is said to be: a feed is lines.
bool is_event_feed(const wire::HttpRequest& head) {
    const Found found = find_route(head.method, head.path);
    return found.route != nullptr && found.route->answer == post_events;
}

}  // namespace

Api::Api(ApiParts parts, ApiSettings settings)
    : parts_(parts),
      settings_(std::move(settings)),
      started_at_(parts.clock.steady()),
      submitter_(std::make_unique<Submitter>(parts_)),
      feeds_(std::make_unique<TriggerFeeds>(parts_.triggers)) {}

Api::~Api() = default;

bool Api::wants_stream(const wire::HttpRequest& head) const {
    return (head.method == "POST" && head.path == "/v1/messages" && is_ndjson(head)) ||
           is_event_feed(head);
}

std::size_t Api::answer_bytes(const wire::HttpRequest& request) const {
    const Route* const route = find_route(request.method, request.path).route;
    return route == nullptr ? Route::few_words : route->answer_bytes;
}

void Api::handle(wire::HttpRequest request, wire::ResponderPtr responder) {
    Found found = find_route(request.method, request.path);
    if (found.route == nullptr) {
        if (found.allowed.empty()) {
            responder->send(problem(404, Errc::not_found, "no such call"));
        } else {
            wire::HttpResponse refused =
                problem(405, Errc::bad_request, "the path does not have this method");
            refused.headers.push_back({"Allow", std::move(found.allowed)});
            responder->send(std::move(refused));
        }
        return;
    }
    auto call = call_of(std::move(request), std::move(responder), found.route->role,
                        std::move(found.argument));
    if (call) {
        call->responder =
            audited(parts_, call->caller, *found.route, call->argument, std::move(call->responder));
        found.route->answer(*std::move(call));
    }
}

std::unique_ptr<wire::BodyReader> Api::stream(wire::HttpRequest head,
                                              wire::ResponderPtr responder) {
    const bool is_feed = is_event_feed(head);
    Found found = find_route(head.method, head.path);
    auto call = call_of(std::move(head), std::move(responder), found.route->role,
                        std::move(found.argument));
    if (!call) {
        return nullptr;
    }
    return is_feed ? post_event_lines(*std::move(call)) : post_message_lines(*std::move(call));
}

/// The caller is judged again: the rules may be others now.
std::unique_ptr<wire::BodyReader> Api::resume(std::string mark, const wire::Peer& peer,
                                              wire::ResponderPtr responder) {
    auto caller = caller_of(&peer, settings_.access);
    if (!caller) {
        responder->cut();
        return nullptr;
    }
    if (NdjsonSubmit::is_mark(mark)) {
        return NdjsonSubmit::resume(parts_, *std::move(caller), mark, std::move(responder));
    }
    if (is_feed_mark(mark) && parts_.triggers != nullptr) {
        return TriggerFeed::resume(*parts_.triggers, *feeds_, mark, std::move(responder));
    }
    const auto resumed = [&](std::string_view path) {
        return audited(parts_, *caller, *find_route("POST", path).route, {}, responder);
    };
    if (mark == upgrade_mark) {
        resume_upgrade(parts_, *resumed("/v1/upgrade"));
    } else if (mark == reload_mark) {
        resume_reload(parts_, *resumed("/v1/reload"));
    } else if (!EventSubscription::resume(parts_, *caller, mark, responder)) {
        responder->cut();  // of another protocol, or not its any more: the client comes again
    }
    return nullptr;
}

wire::HttpResponse Api::refusal(int status, std::string_view reason) const {
    if (status == 503) {
        return problem(
            {.code = Errc::overloaded, .context = std::string(reason), .retry_after = retry_later});
    }
    return problem(status, status == 413 ? Errc::payload_too_large : Errc::bad_request, reason);
}

std::optional<Call> Api::call_of(wire::HttpRequest request, wire::ResponderPtr responder,
                                 Role wanted, std::string argument) {
    auto caller = caller_of(request.peer, settings_.access);
    if (!caller) {
        responder->send(problem({.code = Errc::unauthorized,
                                 .context = "the system does not say which account calls"}));
        return std::nullopt;
    }
    if (const auto may = allowed(*caller, wanted); !may) {
        responder->send(problem(may.error()));
        return std::nullopt;
    }
    return Call{.parts = parts_,
                .settings = settings_,
                .started_at = started_at_,
                .submitter = *submitter_,
                .feeds = *feeds_,
                .caller = *std::move(caller),
                .request = std::move(request),
                .responder = std::move(responder),
                .argument = std::move(argument)};
}

}  // namespace smsrack::api
