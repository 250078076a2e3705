#include "src/api/story.hpp"

#include "src/api/story_words.hpp"
#include "src/base/time_text.hpp"
#include "src/sms/error_table.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace smsrack::api {
namespace {

using ports::AttemptRow;
using ports::MessageDetail;

std::chrono::milliseconds between(WallTime from, WallTime to) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(to - from);
}

/// The end of a sentence, and the next one.
void add(std::string& text, std::string_view sentence) {
    if (!sentence.empty()) {
        text += (text.empty() ? "" : " ");
        text += sentence;
    }
}

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

/// An attempt before this one: of the same segment, or the last one of the segment before.
const AttemptRow* before(const MessageDetail& message, const AttemptRow& attempt) {
    const AttemptRow* found = nullptr;
    for (const AttemptRow& other : message.attempts) {
        if (other.number < attempt.number) {
            found = &other;
        }
    }
    return found;
}

std::string why_line(const MessageDetail& message, const AttemptRow& attempt) {
    const AttemptRow* const earlier = before(message, attempt);
    if (earlier == nullptr) {
        return fmt::format("the first modem of group {} that was free", message.message.group);
    }
    if (earlier->segment != attempt.segment) {
        return earlier->modem == attempt.modem
                   ? "the segments of a message stay with one SIM"
                   : "the modem with the SIM that took the segments before";
    }
    return earlier->modem == attempt.modem
               ? "the same modem again: it was free first"
               : fmt::format("another modem than before ({}): it was free first", earlier->modem);
}

/// Its answer left open whether the message had gone out, whatever the code says by itself.
bool was_in_doubt(const MessageDetail& message, const AttemptRow& attempt) {
    return attempt.outcome.kind == OutcomeKind::unknown ||
           std::ranges::any_of(message.history, [&](const Event& event) {
               return event.type == EventType::message_state &&
                      event.state == MessageState::uncertain && event.attempt == attempt.number &&
                      event.at >= attempt.ended_at;
           });
}

/// With this attempt the message was given up: nothing followed.
bool was_last(const MessageDetail& message, const AttemptRow& attempt) {
    return std::ranges::any_of(message.history, [&](const Event& event) {
        return event.type == EventType::message_state && event.state == MessageState::failed &&
               event.attempt == attempt.number;
    });
}

/// What the answer means for the message; empty where its end says it.
std::string_view consequence(const MessageDetail& message, const AttemptRow& attempt,
                             const CauseInfo& info) {
    const bool doubt = was_in_doubt(message, attempt);
    const CauseClass cause_class = doubt ? CauseClass::ambiguous : info.class_of(false);
    const bool goes_on = cause_class != CauseClass::permanent && cause_class != CauseClass::bug &&
                         cause_class != CauseClass::ambiguous;
    return goes_on && was_last(message, attempt) ? std::string_view()
                                                 : consequence_words(cause_class);
}

void add_outcome(StoryStep& step, const MessageDetail& message, const AttemptRow& attempt,
                 const ErrorTable& errors) {
    if (attempt.outcome.kind == OutcomeKind::open || !attempt.ended_at) {
        return add(step.what, "It is under way.");
    }
    const std::string time = duration_words(between(attempt.started_at, *attempt.ended_at));
    const SubmitOutcome& outcome = attempt.outcome;
    const CauseInfo& info = errors.info(outcome.cause);
    const std::string cause = cause_words(outcome.cause, info);
    const bool doubt = was_in_doubt(message, attempt);
    switch (outcome.kind) {
        case OutcomeKind::accepted:
            return add(step.what,
                       fmt::format("The network took it after {}{}.", time,
                                   outcome.has_tp_mr ? fmt::format(" (reference {})", outcome.tp_mr)
                                                     : std::string()));
        case OutcomeKind::refused:
            add(step.what, fmt::format("After {} {} {}.", time,
                                       doubt ? "it answered" : "it was refused with", cause));
            break;
        case OutcomeKind::not_sent:
            add(step.what, fmt::format("After {} it was clear that nothing had left the modem{}.",
                                       time, cause.empty() ? "" : ": " + cause));
            break;
        case OutcomeKind::unknown:
        case OutcomeKind::open:
            add(step.what, cause.empty() ? fmt::format("For {} the modem gave no answer.", time)
                                         : fmt::format("After {} it answered {}.", time, cause));
            break;
    }
    if (!cause.empty()) {
        add(step.what, consequence(message, attempt, info));
        step.advice = info.advice;
    }
}

std::string_view note_words(ports::NoteKind kind) {
    switch (kind) {
        case ports::NoteKind::dialogue:
            return "the dialogue with the modem:";
        case ports::NoteKind::diagnosis:
            return "what the modem says of itself:";
        case ports::NoteKind::late_report:
            return "what the network said when the message had been given up:";
        case ports::NoteKind::self_sms:
            return "it came in at a SIM of the rack:";
    }
    return {};
}

void add_notes(StoryStep& step, const AttemptRow& attempt) {
    for (const ports::AttemptNote& note : attempt.notes) {
        step.details.emplace_back(note_words(note.kind));
        std::string_view text = note.text;
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            step.details.push_back("  " + std::string(text.substr(0, end)));
            text.remove_prefix(std::min(end + 1, text.size()));
        }
    }
}

StoryStep told(const MessageDetail& message, const AttemptRow& attempt, const ErrorTable& errors) {
    StoryStep step{.at = attempt.started_at};
    const std::string segment =
        message.message.segments > 1
            ? fmt::format(", segment {} of {}", attempt.segment + 1, message.message.segments)
            : std::string();
    step.what = fmt::format("Attempt {}{}, by {} ({}).", attempt.number, segment, attempt.modem,
                            why_line(message, attempt));
    add_outcome(step, message, attempt, errors);
    add_notes(step, attempt);
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

std::string_view state_words(MessageState state) {
    switch (state) {
        case MessageState::scheduled:
            return "It waits for its time.";
        case MessageState::queued:
            return "It is queued.";
        case MessageState::sending:
            return "It is being sent.";
        case MessageState::uncertain:
            return "It is uncertain.";
        case MessageState::sent:
            return "The network has it.";
        case MessageState::delivered:
            return "The status report says that it was delivered.";
        case MessageState::undelivered:
            return "The status report says that it can't be delivered.";
        case MessageState::failed:
            return "It has failed.";
        case MessageState::expired:
            return "It has expired.";
        case MessageState::cancelled:
            return "It is cancelled.";
    }
    return {};
}

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
    StoryStep step{.at = event.at, .what = std::string(state_words(event.state))};
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

/// Why a line takes nothing now; empty where it does.
std::string why_not(const ports::LineView& line) {
    std::string why = line.reason;
    if (line.manual != ports::ManualState::open) {
        const std::string_view gate = line.parked ? "parked by scaling" : "drained by an operator";
        why = why.empty() ? std::string(gate) : fmt::format("{}, {}", gate, why);
    } else if (line.link == ports::LinkState::active) {
        why = line.pause ? line.pause->reason : std::string();
    } else if (why.empty()) {
        why = "not ready";
    }
    if (line.listens_at) {
        why += ", listens at " + time_text(*line.listens_at);
    }
    return why;
}

struct GroupWords {
    std::size_t able = 0;
    std::size_t all = 0;
    std::string drained = {};  ///< the first line that an operator has drained
    std::string text = {};     ///< "1 of 2 modems of group fr can send now (m1: sim_pin)"
};

GroupWords lines_words(const MessageDetail& message, const StoryWorld& world) {
    GroupWords words;
    std::string others;
    for (const ports::LineView& line : world.lines) {
        if (line.group != message.message.group) {
            continue;
        }
        ++words.all;
        const std::string why = why_not(line);
        if (why.empty()) {
            ++words.able;
            continue;
        }
        others += fmt::format("{}{}: {}", others.empty() ? "" : ", ", line.name, why);
        if (line.manual != ports::ManualState::open && !line.parked && words.drained.empty()) {
            words.drained = line.name;
        }
    }
    words.text = fmt::format("{} of {} modem{} of group {} can send now{}", words.able, words.all,
                             words.all == 1 ? "" : "s", message.message.group,
                             others.empty() ? "" : " (" + others + ")");
    return words;
}

/// What a message that may go waits for.
std::string taker_words(const MessageDetail& message, const StoryWorld& world,
                        std::string_view taker) {
    const GroupWords lines = lines_words(message, world);
    if (lines.all == 0) {
        return fmt::format(
            "It waits: no modem of the configuration is in group {}, so nothing sends it.",
            message.message.group);
    }
    if (lines.able > 0) {
        return fmt::format("{}; {}.", taker, lines.text);
    }
    return fmt::format("It waits until a modem can send: {}.{}", lines.text,
                       lines.drained.empty()
                           ? ""
                           : fmt::format(" `smsrack modem resume {}` gives that modem work again.",
                                         lines.drained));
}

bool is_in_hand(const MessageDetail& message) {
    return std::ranges::any_of(message.attempts, [](const AttemptRow& attempt) {
        return attempt.outcome.kind == OutcomeKind::open;
    });
}

std::string next_words(const MessageDetail& message, const StoryWorld& world) {
    const ports::MessageRow& row = message.message;
    const std::string due = row.due_at ? time_text(*row.due_at) : std::string();
    switch (row.state) {
        case MessageState::scheduled:
            return fmt::format(
                "It is queued at {}{}.{}", due,
                world.quiet_until_due ? ", when the quiet hours end" : "",
                world.waits.empty() || world.quiet_until_due
                    ? ""
                    : fmt::format(" It is sent then, unless it must wait: {}.", world.waits));
        case MessageState::queued:
            return world.waits.empty() ? taker_words(message, world, "The next free modem sends it")
                                       : fmt::format("It waits: {}.", world.waits);
        case MessageState::sending:
            if (is_in_hand(message)) {
                return "A modem has it in flight; its answer decides.";
            }
            if (!world.waits.empty()) {
                return fmt::format("The next attempt waits: {}.", world.waits);
            }
            return due.empty() ? taker_words(message, world, "A modem that may send it takes it")
                               : fmt::format("The next attempt is due at {}; {}.", due,
                                             lines_words(message, world).text);
        case MessageState::uncertain:
            return fmt::format("{}{}.", due.empty() ? "" : "Until " + due + " ",
                               policy_words(world.policy));
        case MessageState::sent:
            return row.body.report ? "Its status report; without one, `sent` is final."
                                   : "Nothing more: no status report was requested.";
        case MessageState::delivered:
        case MessageState::cancelled:
            return "Nothing more: the message is finished.";
        case MessageState::undelivered:
        case MessageState::failed:
        case MessageState::expired:
            return "Nothing more: the message is finished. Send it again if it is still needed.";
    }
    return {};
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
        story.steps.push_back(told(message, attempt, errors));
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
