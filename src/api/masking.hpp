/// Answers for a caller that may see no whole phone number and no text.
///
/// It works on the answer as it leaves, so that a new call is masked too. Numbers become
/// "+336*****678", wherever they are in a sentence; texts and octets become "***".
/// Threads: loop thread.
#pragma once

#include "src/wire/http_message.hpp"

#include <string>
#include <string_view>

namespace smsrack::api {

/// What is no JSON becomes null.
[[nodiscard]] std::string masked_json(std::string_view body);

/// Every run of seven or more digits, with its "+", shows its begin and its end alone.
[[nodiscard]] std::string masked_digits(std::string_view text);

/// Masks what is sent through it, also streams of events and lines. Text that is no JSON passes.
[[nodiscard]] wire::ResponderPtr masked(wire::ResponderPtr responder);

}  // namespace smsrack::api
