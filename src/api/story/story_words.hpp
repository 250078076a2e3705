/// The words of the history and of the error table as sentences, for readers who know neither the
/// code nor 3GPP.
#pragma once

#include "src/base/clock.hpp"
#include "src/sms/error_table.hpp"
#include "src/sms/outcome.hpp"

#include <chrono>
#include <string>
#include <string_view>

namespace smsrack::api {

/// Adds a sentence to a text of sentences; nothing where it is empty.
void add(std::string& text, std::string_view sentence);

/// "+CMS ERROR 38: network out of order"; "" where there is no cause.
[[nodiscard]] std::string cause_words(Cause cause, const CauseInfo& info);

/// What follows from a cause of this class.
[[nodiscard]] std::string_view consequence_words(CauseClass cause_class);

/// Why the state changed: the sentence for a word of Event::detail; the word itself where it is
/// unknown.
[[nodiscard]] std::string_view detail_words(std::string_view detail);

/// What becomes of a message whose outcome stays unknown ("report", "resend", "hold").
[[nodiscard]] std::string_view policy_words(std::string_view policy);

/// "0.32 s", "12 s", "3 min", "5 h", "2 days".
[[nodiscard]] std::string duration_words(std::chrono::milliseconds time);

}  // namespace smsrack::api
