#include "src/api/explain_api.hpp"

#include "src/api/seen_message.hpp"
#include "src/api/story.hpp"
#include "src/api/text.hpp"
#include "src/base/time_text.hpp"

#include <chrono>
#include <utility>

namespace smsrack::api {
namespace {

void append_step(wire::JsonWriter& json, const StoryStep& step) {
    json.begin_object();
    json.member("at", time_text(step.at));
    json.member("what", valid_text(step.what));
    if (!step.advice.empty()) {
        json.member("advice", valid_text(step.advice));
    }
    if (!step.details.empty()) {
        json.key("details");
        json.begin_array();
        for (const std::string& line : step.details) {
            json.value(valid_text(line));
        }
        json.end_array();
    }
    json.end_object();
}

std::string body_of(const ports::MessageRow& row, const Story& story) {
    std::string body;
    wire::JsonWriter json(body);
    json.begin_object();
    json.member("id", id_text(row.id));
    json.member("state", message_state_name(row.state));
    json.key("story");
    json.begin_array();
    for (const StoryStep& step : story.steps) {
        append_step(json, step);
    }
    json.end_array();
    json.member("next", story.next);
    json.end_object();
    return body;
}

/// What keeps it from the next free line.
std::string waits_words(const ports::MessageRow& row, const ApiParts& parts) {
    const auto pauses = parts.rack.status().pauses;
    if (const ports::Pause* const pause = ports::pause_of(pauses, row.group, row.batch)) {
        return ports::pause_text(*pause);
    }
    const auto quiet_until = parts.intake.quiet_until(row.level);
    return quiet_until ? "quiet hours until " + time_text(*quiet_until) : "";
}

/// Its time is the end of quiet hours, and not one that its sender named.
bool quiet_until_due(const ports::MessageRow& row, const ApiParts& parts) {
    if (row.state != MessageState::scheduled || !row.due_at) {
        return false;
    }
    return parts.intake.quiet_until(row.level, *row.due_at - std::chrono::milliseconds(1)) ==
           row.due_at;
}

}  // namespace

void explain_message(Call call) {
    const auto id = id_of(call);
    if (!id) {
        answer_problem(call, id.error());
        return;
    }
    answer_from_store(
        call,
        [&parts = call.parts, &settings = call.settings, caller = call.caller,
         id = *id](ports::StoreReader& reader) -> Result<std::string> {
            const auto message = seen_message(reader, id, caller);
            if (!message) {
                return std::unexpected(message.error());
            }
            auto opt_out = reader.opt_out(message->message.to);
            if (!opt_out) {
                return std::unexpected(opt_out.error());
            }
            const std::vector<ports::LineView> lines = parts.rack.lines();
            const ports::MessageRow& row = message->message;
            return body_of(
                row, tell_story(*message, parts.errors,
                                {.why_group = parts.intake.why_group(row.to, row.group),
                                 .policy = settings.uncertain_policy,
                                 .retry_limit = settings.retry_limit,
                                 .ageing = settings.ageing,
                                 .now = parts.clock.wall(),
                                 .lines = lines,
                                 .opt_out = *std::move(opt_out),
                                 .opt_out_exempt = settings.opt_out.exempts(row.group, row.level),
                                 .waits = waits_words(row, parts),
                                 .quiet_until_due = quiet_until_due(row, parts)}));
        });
}

}  // namespace smsrack::api
