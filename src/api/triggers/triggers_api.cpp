#include "src/api/calls.hpp"
#include "src/api/query.hpp"
#include "src/api/triggers/trigger_feed.hpp"
#include "src/api/triggers/trigger_json.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::api {
namespace {

using Messages = std::vector<std::optional<ports::MessageDetail>>;

/// Null, and answered, where the trigger is not there.
trigger::Door* door_of(const Call& call) {
    trigger::Door* const door = call.parts.triggers;
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
    return wire::json_object(
        [&](wire::JsonWriter& json) { append_trace(json, trace, *messages, errors); });
}

}  // namespace

void list_triggers(Call call) {
    const trigger::EngineView view =
        call.parts.triggers == nullptr ? trigger::EngineView() : call.parts.triggers->view();
    answer_json(
        call, wire::json_object([&](wire::JsonWriter& json) {
            json.objects("triggers", view.triggers, [&](const trigger::TriggerView& trigger) {
                append_trigger(json, trigger, call.feeds.unreadable(trigger.name), false);
            });
            append_rebuild(json, view.rebuild);
            json.member("filter_octets", view.filter_octets);
            json.member("cache_octets", view.cache_octets);
            json.member("cache_pairs", view.cache_pairs);
        }));
}

void get_trigger(Call call) {
    trigger::Door* const door = door_of(call);
    if (door == nullptr) {
        return;
    }
    const trigger::EngineView view = door->view();
    const auto trigger =
        std::ranges::find(view.triggers, call.argument, &trigger::TriggerView::name);
    if (trigger == view.triggers.end()) {
        return answer_problem(call, no_such_trigger(door, call.argument));
    }
    answer_json(call, wire::json_object([&](wire::JsonWriter& json) {
                    append_trigger(json, *trigger, call.feeds.unreadable(trigger->name), true);
                    append_rebuild(json, view.rebuild);
                }));
}

void trace_trigger(Call call) {
    if (const auto known = check_params(call.request, {"number", "topic"}); !known) {
        return answer_problem(call, known.error());
    }
    trigger::Door* const door = door_of(call);
    if (door == nullptr) {
        return;
    }
    const auto number = param(call.request, "number");
    if (!number || number->empty()) {
        return answer_problem(call, {.code = Errc::bad_request, .context = "number: is missing"});
    }
    door->trace(call.argument, *number, param(call.request, "topic").value_or(""),
                [call](Result<trigger::Trace> trace) {
                    if (!trace) {
                        return answer_problem(call, trace.error());
                    }
                    answer_from_store(call,
                                      [trace = *std::move(trace),
                                       &errors = call.parts.errors](ports::StoreReader& reader) {
                                          return trace_text(trace, reader, errors);
                                      });
                });
}

void post_rebuild(Call call) {
    trigger::Door* const door = door_of(call);
    if (door == nullptr) {
        return;
    }
    if (const auto begun = door->start_rebuild(); !begun) {
        return answer_problem(call, begun.error());
    }
    std::string body;
    wire::JsonWriter json(body);
    append_rebuild_object(json, door->view().rebuild);
    answer_json(call, std::move(body), 202);
}

void post_events(Call call) {
    if (auto reader = post_event_lines(std::move(call))) {
        reader->end();
    }
}

std::unique_ptr<wire::BodyReader> post_event_lines(Call call) {
    trigger::Door* const door = door_of(call);
    return door == nullptr ? nullptr
                           : TriggerFeed::begin(*door, call.feeds, std::move(call.argument),
                                                std::move(call.responder));
}

}  // namespace smsrack::api
