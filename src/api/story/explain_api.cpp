#include "src/api/calls.hpp"
#include "src/api/story/story.hpp"
#include "src/api/text.hpp"
#include "src/base/time_text.hpp"

#include <chrono>
#include <utility>

namespace smsrack::api {
namespace {

std::string body_of(const ports::MessageRow& row, const Story& story) {
    return wire::json_object([&](wire::JsonWriter& json) {
        json.member("id", id_text(shown_id(row)));
        json.member("state", message_state_name(row.state));
        json.objects("story", story.steps, [&](const StoryStep& step) {
            json.member("at", time_text(step.at));
            json.member("what", valid_text(step.what));
            if (!step.advice.empty()) {
                json.member("advice", valid_text(step.advice));
            }
            if (!step.details.empty()) {
                append_texts(json, "details", step.details);
            }
        });
        json.member("next", story.next);
    });
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
    answer_of_message(
        call,
        [&parts = call.parts, &settings = call.settings](
            ports::StoreReader& reader,
            const ports::MessageDetail& message) -> Result<std::string> {
            auto opt_out = reader.opt_out(message.message.to);
            if (!opt_out) {
                return std::unexpected(opt_out.error());
            }
            const std::vector<ports::LineView> lines = parts.rack.lines();
            const ports::MessageRow& row = message.message;
            return body_of(
                row, tell_story(message, parts.errors,
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
