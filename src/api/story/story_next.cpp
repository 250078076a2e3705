#include "src/api/story/story_parts.hpp"
#include "src/api/story/story_words.hpp"
#include "src/base/time_text.hpp"
#include "src/sms/event.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace smsrack::api {
namespace {

using ports::AttemptRow;
using ports::MessageDetail;

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

/// Of a part of a longer message that its client has cut itself.
std::string part_words(const PartPlace& part, const std::string& due) {
    return fmt::format(
        "It is part {} of {}. {}", part.number, part.total,
        due.empty() ? "It is queued when the part before it is sent or has ended."
                    : "It is queued in its turn when all parts are there, or at " + due + ".");
}

}  // namespace

std::string next_words(const MessageDetail& message, const StoryWorld& world) {
    const ports::MessageRow& row = message.message;
    const std::string due = row.due_at ? time_text(*row.due_at) : std::string();
    switch (row.state) {
        case MessageState::scheduled:
            if (row.body.part) {
                return part_words(*row.body.part, due);
            }
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
            if (row.detail == no_report_came) {
                return "Nothing more: its status report did not come.";
            }
            return row.body.report ? "Its status report; without one, `sent` is final."
                                   : "Nothing more: no status report was requested.";
        case MessageState::delivered:
        case MessageState::cancelled:
            return "Nothing more: the message is finished.";
        case MessageState::elsewhere:
            return "It waits for the fleet: the box that takes it sends it, and reports its end "
                   "here.";
        case MessageState::undelivered:
        case MessageState::failed:
        case MessageState::expired:
            return "Nothing more: the message is finished. Send it again if it is still needed.";
    }
    return {};
}

}  // namespace smsrack::api
