#include "src/api/api.hpp"

#include "src/access/token.hpp"
#include "src/api/audit.hpp"
#include "src/api/box_question.hpp"
#include "src/api/calls.hpp"
#include "src/api/events/event_subscription.hpp"
#include "src/api/masking.hpp"
#include "src/api/problem.hpp"
#include "src/api/routes.hpp"
#include "src/api/smpp_board.hpp"
#include "src/api/submit/bulk_window.hpp"
#include "src/api/submit/ndjson_submit.hpp"
#include "src/api/submit/submitter.hpp"
#include "src/api/triggers/trigger_feed.hpp"
#include "src/api/triggers/trigger_feeds.hpp"

#include <utility>

namespace smsrack::api {
namespace {

constexpr std::chrono::seconds retry_later{5};  // what an account holds is gone then, or it is cut

// In front of the mark of an answer to a caller over the network; behind it the hash of its token, and a blank.
constexpr std::string_view remote_mark = "for ";

/// Another process that resumes the answer judges the token again.
void mark_remote(const Caller& caller, wire::Responder& responder) {
    if (caller.is_remote()) {
        responder.mark_front(std::string(remote_mark) + caller.token + " ");
    }
}

/// Takes the hash off the front of a mark; empty: it was for a caller on the socket.
std::string token_of_mark(std::string& mark) {
    const std::size_t end = mark.find(' ', remote_mark.size());
    if (!mark.starts_with(remote_mark) || end == std::string::npos) {
        return {};
    }
    std::string token = mark.substr(remote_mark.size(), end - remote_mark.size());
    mark.erase(0, end + 1);
    return token;
}

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
      bulk_(std::make_shared<BulkWindow>()),
      feeds_(std::make_unique<TriggerFeeds>(parts_.triggers)),
      smpp_(std::make_unique<SmppBoard>()),
      remote_streams_(std::make_unique<wire::RemoteStreams>()) {}

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
    const Route& route = *found.route;
    if (auto call = call_of(std::move(request), std::move(responder), std::move(found))) {
        if (route.answer == stream_events) {
            note_stream(call->caller, call->responder);
        }
        call->responder =
            audited(parts_, call->caller, route, call->argument, std::move(call->responder));
        if (!is_of_another_box(*call, route)) {
            route.answer(*std::move(call));
        }
    }
}

/// As a caller of role `read`: who asks was judged by the other box.
void Api::answer(ports::BoxQuestion question, std::function<void(ports::BoxAnswer)> done) {
    Found found = find_route("GET", question.path);
    if (found.route == nullptr || found.route->of_box == OfBox::own) {
        const wire::HttpResponse refused =
            problem(404, Errc::not_found, "its release answers no such question");
        return done({.status = refused.status, .body = refused.body});
    }
    wire::ResponderPtr responder = answer_of_question(std::move(done));
    if (question.masked) {
        responder = masked(std::move(responder));
    }
    const Route& route = *found.route;
    Call call = call_by(
        {.role = Role::read, .name = "box", .masked = question.masked},
        {.method = "GET", .path = std::move(question.path), .params = std::move(question.params)},
        std::move(responder), std::move(found.argument));
    call.page_bound = {.octets_max = ports::box_answer_max, .is_in_letter = true};
    route.answer(std::move(call));
}

std::unique_ptr<wire::BodyReader> Api::stream(wire::HttpRequest head,
                                              wire::ResponderPtr responder) {
    const bool is_feed = is_event_feed(head);
    Found found = find_route(head.method, head.path);
    auto call = call_of(std::move(head), std::move(responder), std::move(found));
    if (!call) {
        return nullptr;
    }
    note_stream(call->caller, call->responder);
    return is_feed ? post_event_lines(*std::move(call)) : post_message_lines(*std::move(call));
}

/// The caller is judged again: the rules may be others now.
std::unique_ptr<wire::BodyReader> Api::resume(std::string mark, const wire::Peer& peer,
                                              wire::ResponderPtr responder) {
    auto caller = caller_of(&peer, settings_.access);
    if (const std::string token = token_of_mark(mark); !token.empty()) {
        auto remote = remote_caller(token, settings_.access, tokens(), parts_.clock.wall());
        caller = remote ? std::optional(*std::move(remote)) : std::nullopt;
    }
    if (!caller) {
        responder->cut();
        return nullptr;
    }
    mark_remote(*caller, *responder);
    if (caller->masked) {
        responder = masked(std::move(responder));
    }
    note_stream(*caller, responder);
    if (NdjsonSubmit::is_mark(mark)) {
        return NdjsonSubmit::resume(parts_, bulk_, *std::move(caller), mark, std::move(responder));
    }
    if (is_feed_mark(mark) && parts_.triggers != nullptr) {
        return TriggerFeed::resume(*parts_.triggers, *feeds_, mark, std::move(responder));
    }
    const auto resumed = [&](std::string_view path) {
        return audited(parts_, *caller, *find_route("POST", path).route, {}, responder);
    };
    if (mark == upgrade_mark) {
        resume_upgrade(parts_, *resumed("/v1/upgrade"));
    } else if (mark == webhook_take_mark) {
        resume_webhook_take(*responder);
    } else if (mark == webhook_test_mark) {
        resume_webhook_test(*responder);
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

void Api::tokens_changed() {
    const WallTime now = parts_.clock.wall();
    remote_streams_->cut_unless([&](const std::string& token) {
        return remote_caller(token, settings_.access, tokens(), now).has_value();
    });
}

const access::TokenBook& Api::tokens() const {
    static const access::TokenBook none;
    return parts_.tokens == nullptr ? none : *parts_.tokens;
}

/// When the tokens change, they are judged again.
void Api::note_stream(const Caller& caller, const wire::ResponderPtr& responder) {
    if (caller.is_remote()) {
        remote_streams_->add(caller.token, responder);
    }
}

Result<Caller> Api::may_call(const wire::HttpRequest& request, const Found& found) {
    const bool of_gate = found.route->reach == Reach::gate;
    if (of_gate && request.header(token_header).empty()) {
        return gate_or_admin(request, settings_.access);
    }
    auto caller = caller_of(request, settings_.access, tokens(), parts_.clock.wall());
    if (!caller && found.route->reach == Reach::open && request.peer != nullptr &&
        request.peer->known && caller.error().code == Errc::unauthorized) {
        return Caller{};
    }
    if (!caller) {
        return caller;
    }
    if (of_gate) {
        return fail(Errc::forbidden, std::string(gate_only));
    }
    if (caller->is_remote() && parts_.token_uses != nullptr &&
        access::is_token_hash(caller->token)) {
        parts_.token_uses->note(caller->token, parts_.clock.wall(), request.header(address_header));
    }
    if (const auto may = allowed(*caller, found.route->role); !may) {
        return std::unexpected(may.error());
    }
    if (found.route->reach == Reach::by_setting && !settings_.access.remote_at &&
        caller->is_remote()) {
        return fail(Errc::forbidden,
                    "this call is not for callers over the network; in smsrack.toml, [http] "
                    "remote_at = true lets them");
    }
    return caller;
}

std::optional<Call> Api::call_of(wire::HttpRequest request, wire::ResponderPtr responder,
                                 Found found) {
    auto caller = may_call(request, found);
    if (!caller) {
        wire::HttpResponse refused = problem(caller.error());
        if (caller.error().code == Errc::unauthorized) {
            refused.headers.push_back({"WWW-Authenticate", "Bearer"});
        }
        responder->send(std::move(refused));
        return std::nullopt;
    }
    mark_remote(*caller, *responder);
    if (caller->masked) {
        responder = masked(std::move(responder));
    }
    return call_by(*std::move(caller), std::move(request), std::move(responder),
                   std::move(found.argument));
}

Call Api::call_by(Caller caller, wire::HttpRequest request, wire::ResponderPtr responder,
                  std::string argument) {
    return {.parts = parts_,
            .settings = settings_,
            .started_at = started_at_,
            .submitter = *submitter_,
            .bulk = bulk_,
            .feeds = *feeds_,
            .smpp = *smpp_,
            .caller = std::move(caller),
            .request = std::move(request),
            .responder = std::move(responder),
            .argument = std::move(argument)};
}

}  // namespace smsrack::api
