#include "src/api/events_api.hpp"

#include "src/api/event_subscription.hpp"
#include "src/api/query.hpp"
#include "src/sms/message_states.hpp"

#include <algorithm>
#include <charconv>
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
        name == "scaling.decision") {
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

Result<std::optional<EventSeq>> last_seen(const wire::HttpRequest& request) {
    const std::string_view text = request.header("last-event-id");
    if (text.empty()) {
        return std::optional<EventSeq>();
    }
    std::int64_t number = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < 0) {
        return fail(Errc::bad_request, "Last-Event-ID: not an id that this stream gave");
    }
    return std::optional<EventSeq>(EventSeq{number});
}

}  // namespace

void stream_events(Call call) {
    if (const auto known = check_params(call.request, {"types"}); !known) {
        answer_problem(call, known.error());
        return;
    }
    auto types = types_of(call.request);
    if (!types) {
        answer_problem(call, types.error());
        return;
    }
    const auto seen = last_seen(call.request);
    if (!seen) {
        answer_problem(call, seen.error());
        return;
    }
    std::make_shared<EventSubscription>(call.parts, std::move(call.responder), std::move(*types))
        ->start(*seen);
}

}  // namespace smsrack::api
