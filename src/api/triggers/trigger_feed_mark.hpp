/// What one process hands over to the next about an unfinished feed, and the mark that encodes it.
///
/// The counts are those of the lines up to `place.number`; `text` is what came behind.
#pragma once

#include "src/trigger/event.hpp"
#include "src/wire/ndjson.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace smsrack::api {

struct FeedLeft {
    std::string trigger = {};
    trigger::Counts counts = {};
    wire::LinePlace place = {};
    std::string text = {};
    bool ended = false;  ///< no more of it comes
};

[[nodiscard]] bool is_feed_mark(std::string_view mark);
[[nodiscard]] std::string feed_mark(const FeedLeft& left);
/// Nullopt if it is another version's.
[[nodiscard]] std::optional<FeedLeft> read_feed_mark(std::string_view mark);

}  // namespace smsrack::api
