#include "src/api/story/story.hpp"

#include "src/api/story/story_parts.hpp"
#include "src/api/story/story_words.hpp"
#include "src/base/time_text.hpp"
#include "src/sms/error_table.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace smsrack::api {
namespace {

using ports::AttemptRow;
using ports::MessageDetail;

StoryStep acceptance(const MessageDetail& message, const StoryWorld& world) {
    const ports::MessageRow& row = message.message;
    StoryStep step{.at = row.created_at};
    step.what =
        fmt::format("Accepted: {} of {} segment{} to {}, priority {}, group {} ({}).",
                    row.body.is_data ? "data" : "a text", row.segments,
                    row.segments == 1 ? "" : "s", row.to, row.level, row.group, world.why_group);
    add(step.what,
        row.body.report ? "A status report is requested." : "No status report is requested.");
    add(step.what, fmt::format("It expires at {} if it has not been sent by then.",
                               time_text(row.expires_at)));
    return step;
}

/// The wish of the recipient that holds now.
StoryStep opt_out_step(const ports::OptOutRow& row, bool exempt) {
    StoryStep step{.at = row.at, .what = "Its recipient wants no messages:"};
    add(step.what, row.inbox == InboxId{}
                       ? std::string("an operator or a program said so.")
                       : fmt::format("received message {} said STOP.", row.inbox.value));
    if (exempt) {
        add(step.what,
            "This message is exempt by its group or priority, and goes out all the same.");
    }
    return step;
}

/// Since when it waits to be sent; nullopt if its time has not come.
std::optional<WallTime> queued_at(const MessageDetail& message) {
    const auto queued = std::ranges::find(message.history, MessageState::queued, &Event::state);
    return queued == message.history.end() ? std::nullopt : std::optional(queued->at);
}

/// Until when it has waited: what is on a line, or over, is promoted no further.
WallTime waited_until(const MessageDetail& message, WallTime now) {
    const ports::MessageRow& row = message.message;
    const bool waits =
        row.state == MessageState::queued || (row.state == MessageState::sending && row.due_at);
    if (waits) {
        return now;
    }
    return message.attempts.empty() ? row.updated_at : message.attempts.back().started_at;
}

/// How it rose while it waited: the same function that the dispatcher goes by.
std::vector<StoryStep> promotions(const MessageDetail& message, const StoryWorld& world) {
    std::vector<StoryStep> steps;
    const auto since = queued_at(message);
    if (!since) {
        return steps;
    }
    const WallTime until = waited_until(message, world.now);
    const Turn turn{.first = message.message.level, .since = *since, .id = message.message.id};
    const Level reached = standing(world.ageing, turn, until).level;
    WallTime at = *since;
    for (Level level = turn.first; level < reached; ++level) {
        const auto waited = world.ageing.max_wait.at(level);
        at += waited;
        steps.push_back(
            {.at = at,
             .what = fmt::format(
                 "It had waited {} at level {}, and was promoted to level {}{}.",
                 duration_words(waited), level, level + 1,
                 level + 1 == level_max
                     ? fmt::format(": every {}th there is a promoted one", promoted_every)
                     : std::string())});
    }
    return steps;
}

/// In the order of MessageState.
constexpr std::array<std::string_view, message_state_count> state_words{
    "It waits for its time.",
    "It is queued.",
    "It is being sent.",
    "It is uncertain.",
    "The network has it.",
    "The status report says that it was delivered.",
    "The status report says that it can't be delivered.",
    "It has failed.",
    "It has expired.",
    "It is cancelled.",
    "Another box of the fleet may send it.",
};

/// What the attempts say already: that one began, and that the network took it.
bool is_told(const MessageDetail& message, const Event& event) {
    if (event.type != EventType::message_state) {
        return false;
    }
    if (event.state == MessageState::sending && event.attempt > 0 && event.detail.empty()) {
        return true;
    }
    return event.state == MessageState::sent && event.detail.empty() &&
           std::ranges::any_of(message.attempts, [&](const AttemptRow& attempt) {
               return attempt.number == event.attempt && attempt.ended_at == event.at;
           });
}

/// Attempts up to this one that failed and count towards `retry_limit`.
std::int64_t failures_until(const MessageDetail& message, const AttemptRow& last) {
    return std::ranges::count_if(message.attempts, [&](const AttemptRow& attempt) {
        return attempt.number <= last.number && attempt.outcome.kind != OutcomeKind::accepted &&
               attempt.outcome.cause.kind != CodeKind::none;
    });
}

/// Attempts of the same segment up to this one that ended in the same code.
std::int64_t alike_until(const MessageDetail& message, const AttemptRow& last) {
    return std::ranges::count_if(message.attempts, [&](const AttemptRow& attempt) {
        return attempt.number <= last.number && attempt.segment == last.segment &&
               attempt.outcome.cause.kind == last.outcome.cause.kind &&
               attempt.outcome.cause.code == last.outcome.cause.code;
    });
}

/// Which limit ended the message: that of the queue, or the smaller one of a code.
std::string spent_words(const MessageDetail& message, const Event& event, const ErrorTable& errors,
                        std::int64_t retry_limit) {
    const auto last = std::ranges::find(message.attempts, event.attempt, &AttemptRow::number);
    if (last == message.attempts.end()) {
        return "No further attempt is allowed.";
    }
    const std::int64_t failures = failures_until(message, *last);
    const std::int64_t alike = alike_until(message, *last);
    const CauseInfo& info = errors.info(last->outcome.cause);
    if (info.tries && alike >= *info.tries && failures < retry_limit) {
        return fmt::format(
            "{} attempt{} ended in this code, and it is given no more (`tries` of the code in the "
            "error table; `retry_limit` would allow {}).",
            alike, alike == 1 ? "" : "s", retry_limit);
    }
    return fmt::format("{} attempt{} failed, and `retry_limit` {}.", failures,
                       failures == 1 ? "" : "s",
                       failures >= retry_limit ? "allows no more" : "allowed no more at that time");
}

std::optional<StoryStep> told(const MessageDetail& message, const Event& event, bool first,
                              const ErrorTable& errors, std::int64_t retry_limit) {
    const bool accepted_so =
        event.state == MessageState::queued || event.state == MessageState::scheduled;
    if ((first && accepted_so) || is_told(message, event)) {
        return std::nullopt;
    }
    if (event.type == EventType::opt_out_stop) {
        return StoryStep{
            .at = event.at,
            .what = fmt::format("{} It is received message {}, at modem {}.",
                                detail_words(event.detail), event.inbox.value, event.modem),
            .advice = event.detail == "stop_counted"
                          ? std::string()
                          : "if it was meant, `smsrack optout add` puts the number on the list"};
    }
    StoryStep step{.at = event.at,
                   .what = std::string(state_words.at(static_cast<std::size_t>(event.state)))};
    if (message.message.segments > 1 && event.attempt > 0) {
        step.what = fmt::format("Segment {}: {}", event.segment + 1, step.what);
    }
    if (event.cause.kind == CodeKind::tp_status) {
        const CauseInfo& info = errors.info(event.cause);
        add(step.what, "It says " + cause_words(event.cause, info) + ".");
        step.advice = info.advice;
    }
    add(step.what, event.detail == "retries_spent"
                       ? spent_words(message, event, errors, retry_limit)
                       : std::string(detail_words(event.detail)));
    return step;
}

}  // namespace

Story tell_story(const MessageDetail& message, const ErrorTable& errors, const StoryWorld& world) {
    Story story;
    story.steps.push_back(acceptance(message, world));
    const bool told_already =
        world.opt_out && std::ranges::any_of(message.history, [&](const Event& event) {
            return event.type == EventType::opt_out_stop && event.inbox == world.opt_out->inbox;
        });
    if (world.opt_out && (world.opt_out_exempt || !told_already)) {
        story.steps.push_back(opt_out_step(*world.opt_out, world.opt_out_exempt));
    }
    std::ranges::move(promotions(message, world), std::back_inserter(story.steps));
    for (const AttemptRow& attempt : message.attempts) {
        story.steps.push_back(attempt_step(message, attempt, errors));
    }
    for (const Event& event : message.history) {
        if (auto step = told(message, event, &event == &message.history.front(), errors,
                             world.retry_limit)) {
            story.steps.push_back(std::move(*step));
        }
    }
    std::ranges::stable_sort(story.steps, {}, &StoryStep::at);
    story.next = next_words(message, world);
    return story;
}

}  // namespace smsrack::api
