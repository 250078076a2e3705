/// Parts of the history of a message: one attempt, and what happens next.
#pragma once

#include "src/api/story/story.hpp"

#include <string>

namespace smsrack::api {

/// An attempt: by which modem and why by that one, how it ended, and what the modem said.
[[nodiscard]] StoryStep attempt_step(const ports::MessageDetail& message,
                                     const ports::AttemptRow& attempt, const ErrorTable& errors);

/// What happens next, and when.
[[nodiscard]] std::string next_words(const ports::MessageDetail& message, const StoryWorld& world);

}  // namespace smsrack::api
