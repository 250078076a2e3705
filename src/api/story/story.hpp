/// Explains the history of one message in words, from its acceptance to what happens next, so that
/// an operator understands it without the source code.
///
/// Pure: rows of the store in, sentences out. Times are separate from the sentences, in `at`.
#pragma once

#include "src/ports/rack_view.hpp"
#include "src/ports/store_reader.hpp"
#include "src/sms/ageing.hpp"
#include "src/sms/error_table.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::api {

struct StoryStep {
    WallTime at = {};
    std::string what = {};
    std::string advice = {};                ///< what the operator can do; empty: nothing
    std::vector<std::string> details = {};  ///< the dialogue with the modem, and its diagnosis
};

struct Story {
    std::vector<StoryStep> steps;  ///< oldest first
    std::string next;              ///< what happens next, and when
};

/// What the rows do not say; all of it as it is now.
struct StoryWorld {
    std::string why_group = {};          ///< "route +336"
    std::string_view policy = "report";  ///< [queue] uncertain
    std::int64_t retry_limit = 3;        ///< [queue]
    AgeingRules ageing = {};             ///< [priority]
    WallTime now = {};
    std::span<const ports::LineView> lines = {};
    std::optional<ports::OptOutRow> opt_out = {};  ///< of its recipient
    bool opt_out_exempt = false;                   ///< it goes out all the same
    std::string waits = {};  ///< what it waits for besides a free line; empty if only for that
    bool quiet_until_due = false;  ///< scheduled: it is due when quiet hours end
};

[[nodiscard]] Story tell_story(const ports::MessageDetail& message, const ErrorTable& errors,
                               const StoryWorld& world);

}  // namespace smsrack::api
