#include "src/api/triggers_api.hpp"

#include "src/api/problem.hpp"
#include "src/api/query.hpp"
#include "src/api/trigger_feed.hpp"
#include "src/api/trigger_json.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::api {
namespace {

using Messages = std::vector<std::optional<ports::MessageDetail>>;

/// Null, and answered, where the trigger is not there.
TriggerDoor* door_of(const Call& call) {
    TriggerDoor* const door = call.parts.triggers;
    if (door != nullptr && door->form(call.argument) != nullptr) {
        return door;
    }
    answer_problem(call, no_such_trigger(door, call.argument));
    return nullptr;
}

/// Those that retention has taken are nothing.
Result<Messages> messages_of(const trigger::Trace& trace, ports::StoreReader& reader) {
    Messages messages(trace.pairs.size());
    for (std::size_t i = 0; i < messages.size(); ++i) {
        if (!trace.pairs[i].row || trace.pairs[i].row->message == MessageId{}) {
            continue;
        }
        auto message = reader.message(trace.pairs[i].row->message);
        if (message) {
            messages[i] = *std::move(message);
        } else if (message.error().code != Errc::not_found) {
            return std::unexpected(std::move(message.error()));
        }
    }
    return messages;
}

Result<std::string> trace_text(const trigger::Trace& trace, ports::StoreReader& reader,
                               const ErrorTable& errors) {
    const auto messages = messages_of(trace, reader);
    if (!messages) {
        return std::unexpected(messages.error());
    }
    std::string body;
    wire::JsonWriter json(body);
    append_trace(json, trace, *messages, errors);
    return body;
}

}  // namespace

void list_triggers(Call call) {
    const trigger::EngineView view =
        call.parts.triggers == nullptr ? trigger::EngineView() : call.parts.triggers->view();
    std::string body;
    wire::JsonWriter json(body);
    json.begin_object();
    json.key("triggers");
    json.begin_array();
    for (const trigger::TriggerView& trigger : view.triggers) {
        append_trigger(json, trigger, call.feeds.unreadable(trigger.name), false);
    }
    json.end_array();
    json.key("rebuild");
    append_rebuild(json, view.rebuild);
    json.member("filter_octets", view.filter_octets);
    json.member("cache_octets", view.cache_octets);
    json.member("cache_pairs", view.cache_pairs);
    json.end_object();
    answer_json(call, std::move(body));
}

void get_trigger(Call call) {
    TriggerDoor* const door = door_of(call);
    if (door == nullptr) {
        return;
    }
    const trigger::EngineView view = door->view();
    const auto trigger =
        std::ranges::find(view.triggers, call.argument, &trigger::TriggerView::name);
    if (trigger == view.triggers.end()) {
        answer_problem(call, no_such_trigger(door, call.argument));
        return;
    }
    std::string body;
    wire::JsonWriter json(body);
    append_trigger(json, *trigger, call.feeds.unreadable(trigger->name), true);
    body.back() = ',';
    wire::JsonWriter more(body);
    more.key("rebuild");
    append_rebuild(more, view.rebuild);
    more.end_object();
    answer_json(call, std::move(body));
}

void trace_trigger(Call call) {
    const auto known = check_params(call.request, {"number", "topic"});
    if (!known) {
        answer_problem(call, known.error());
        return;
    }
    TriggerDoor* const door = door_of(call);
    if (door == nullptr) {
        return;
    }
    const auto number = param(call.request, "number");
    if (!number || number->empty()) {
        answer_problem(call, {.code = Errc::bad_request, .context = "number: is missing"});
        return;
    }
    door->trace(call.argument, *number, param(call.request, "topic").value_or(""),
                [call](Result<trigger::Trace> trace) {
                    if (!trace) {
                        answer_problem(call, trace.error());
                        return;
                    }
                    answer_from_store(call,
                                      [trace = *std::move(trace),
                                       &errors = call.parts.errors](ports::StoreReader& reader) {
                                          return trace_text(trace, reader, errors);
                                      });
                });
}

void post_rebuild(Call call) {
    TriggerDoor* const door = door_of(call);
    if (door == nullptr) {
        return;
    }
    if (door->form(call.argument) == nullptr) {
        answer_problem(call, no_such_trigger(door, call.argument));
        return;
    }
    if (const auto begun = door->start_rebuild(); !begun) {
        answer_problem(call, begun.error());
        return;
    }
    std::string body;
    wire::JsonWriter json(body);
    append_rebuild(json, door->view().rebuild);
    call.responder->send({.status = 202, .body = std::move(body)});
}

void post_events(Call call) {
    if (auto reader = post_event_lines(std::move(call))) {
        reader->end();
    }
}

std::unique_ptr<wire::BodyReader> post_event_lines(Call call) {
    TriggerDoor* const door = door_of(call);
    return door == nullptr ? nullptr
                           : TriggerFeed::begin(*door, call.feeds, std::move(call.argument),
                                                std::move(call.responder));
}

}  // namespace smsrack::api
