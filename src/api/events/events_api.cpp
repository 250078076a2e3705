#include "src/api/calls.hpp"
#include "src/api/events/event_subscription.hpp"
#include "src/api/query.hpp"
#include "src/sms/message_states.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace smsrack::api {
namespace {

bool is_event_name(std::string_view name) {
    constexpr std::string_view prefix = "message.";
    if (name == "modem.state" || name == "service.notice" || name == "message.received" ||
        name == "scaling.decision" || name == "client.state" || name == "optout.stop") {
        return true;
    }
    return name.starts_with(prefix) && message_state_of(name.substr(prefix.size())).has_value();
}

Result<std::set<std::string>> types_of(const wire::HttpRequest& request) {
    std::set<std::string> types;
    std::string_view rest = param(request, "types").value_or("");
    while (!rest.empty()) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        const std::string_view name = rest.substr(0, comma);
        rest.remove_prefix(std::min(comma + 1, rest.size()));
        if (!is_event_name(name)) {
            return fail(Errc::bad_request, "types: not names of events, with commas between them");
        }
        types.emplace(name);
    }
    return types;
}

/// A stream that could never say anything is refused. Without types a sender gets what there is of its own.
Result<> may_see(const Caller& caller, const std::set<std::string>& types, InboxShare inbox) {
    const bool of_own = std::ranges::all_of(types, [inbox](const std::string& type) {
        return type.starts_with("message.") &&
               (type != "message.received" || inbox != InboxShare::none);
    });
    return of_own ? Result<>() : allowed(caller, Role::read);
}

Result<std::optional<EventSeq>> last_seen(const wire::HttpRequest& request) {
    const std::string_view text = request.header("last-event-id");
    if (text.empty()) {
        return std::optional<EventSeq>();
    }
    const auto number = whole_number(text);
    if (!number || *number < 0) {
        return fail(Errc::bad_request, "Last-Event-ID: not an id that this stream gave");
    }
    return std::optional<EventSeq>(EventSeq{*number});
}

struct Named {
    Listener client = {};
    bool clear = false;
};

Result<bool> flag_of(const wire::HttpRequest& request, std::string_view name) {
    const auto text = param(request, name);
    if (text && *text != "true" && *text != "false") {
        return fail(Errc::bad_request, std::string(name) + ": not true or false");
    }
    return text == "true";
}

constexpr std::array<std::string_view, 3> share_names{"none", "replies", "all"};

/// What answers no client may be meant for any of them: to see it takes the role that sees the inbox.
Result<InboxShare> inbox_share_of(const Call& call, const Listener& client) {
    const std::string_view text = param(call.request, "inbox").value_or("none");
    const auto* const name = std::ranges::find(share_names, text);
    if (name == share_names.end()) {
        return fail(Errc::bad_request, "inbox: not none, replies or all");
    }
    const auto share = static_cast<InboxShare>(name - share_names.begin());
    if (share == InboxShare::none) {
        return share;
    }
    if (client.name.empty() || client.all) {
        return fail(Errc::bad_request,
                    "inbox: only with client, and not with all=true, which has "
                    "all of the inbox");
    }
    if (share == InboxShare::all && !call.caller.hears_all) {
        if (auto may = allowed(call.caller, Role::read); !may) {
            return std::unexpected(std::move(may.error()));
        }
    }
    return share;
}

/// The subscriber; without a name it is an anonymous subscriber.
Result<Named> named_of(const Call& call) {
    Named named;
    const auto clear = flag_of(call.request, "clear");
    const auto all = flag_of(call.request, "all");
    if (!clear || !all) {
        return std::unexpected(clear ? all.error() : clear.error());
    }
    named.clear = *clear;
    named.client.all = *all;
    const auto name = client_named(call.request, param(call.request, "client"));
    if (!name) {
        return std::unexpected(name.error());
    }
    named.client.name = *name;
    if (name->empty() && (*clear || *all)) {
        return fail(Errc::bad_request, "clear and all: only with client");
    }
    if (auto may = may_use_client(call.caller, *name); !may) {
        return std::unexpected(std::move(may.error()));
    }
    if (*all) {
        if (auto may = allowed(call.caller, Role::read); !may) {
            return std::unexpected(std::move(may.error()));
        }
    }
    const auto inbox = inbox_share_of(call, named.client);
    if (!inbox) {
        return std::unexpected(inbox.error());
    }
    named.client.inbox = *inbox;
    if (name->empty() && !call.caller.may(Role::read)) {
        named.client.account = call.caller.account();
    }
    if (!name->empty()) {
        if (const auto limits = call.parts.intake.client_limits(*name); !limits) {
            return std::unexpected(limits.error());
        }
    }
    return named;
}

/// It listens when its row is on the disk: from then on nothing of its messages is missed.
void register_named(const Call& call, Named named, std::set<std::string> types,
                    std::optional<EventSeq> taken) {
    ports::RegisterClient arrival{.name = named.client.name,
                                  .clear = named.clear,
                                  .taken = taken,
                                  .at = call.parts.clock.wall()};
    auto subscription = std::make_shared<EventSubscription>(
        call.parts, call.responder, std::move(types), std::move(named.client));
    call.parts.clients.post(
        std::move(arrival), [call, subscription, taken](Result<ports::ClientRow> row) {
            call.parts.loop.post([call, subscription, taken, row = std::move(row)] {
                if (row) {
                    subscription->start_named(*row, taken);
                } else {
                    answer_problem(call, row.error());
                }
            });
        });
}

}  // namespace

void stream_events(Call call) {
    if (const auto known = check_params(call.request, {"types", "client", "clear", "all", "inbox"});
        !known) {
        return answer_problem(call, known.error());
    }
    auto types = types_of(call.request);
    if (!types) {
        return answer_problem(call, types.error());
    }
    const auto seen = last_seen(call.request);
    if (!seen) {
        return answer_problem(call, seen.error());
    }
    auto named = named_of(call);
    if (!named) {
        return answer_problem(call, named.error());
    }
    if (const auto may = may_see(call.caller, *types, named->client.inbox); !may) {
        return answer_problem(call, may.error());
    }
    if (named->client.name.empty()) {
        std::make_shared<EventSubscription>(call.parts, std::move(call.responder),
                                            std::move(*types), std::move(named->client))
            ->start(*seen);
        return;
    }
    register_named(call, *std::move(named), *std::move(types), *seen);
}

}  // namespace smsrack::api
