#include "src/api/story/story_parts.hpp"
#include "src/api/story/story_words.hpp"
#include "src/sms/error_table.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <fmt/format.h>

namespace smsrack::api {
namespace {

using ports::AttemptRow;
using ports::MessageDetail;

std::chrono::milliseconds between(WallTime from, WallTime to) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(to - from);
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

/// In the order of ports::NoteKind, which begins with 1.
constexpr std::array<std::string_view, 5> note_words{
    "", "the dialogue with the modem:", "what the modem says of itself:",
    "what the network said when the message had been given up:",
    "it came in at a SIM of the rack:"};

void add_notes(StoryStep& step, const AttemptRow& attempt) {
    for (const ports::AttemptNote& note : attempt.notes) {
        step.details.emplace_back(note_words.at(static_cast<std::size_t>(note.kind)));
        std::string_view text = note.text;
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            step.details.push_back("  " + std::string(text.substr(0, end)));
            text.remove_prefix(std::min(end + 1, text.size()));
        }
    }
}

}  // namespace

StoryStep attempt_step(const MessageDetail& message, const AttemptRow& attempt,
                       const ErrorTable& errors) {
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

}  // namespace smsrack::api
