/// Reads the topics of a trigger from a CSV file: topic, text, group.
///
/// Quoting as in RFC 4180. A first record "topic,text" or "topic,text,group" is a heading. An empty
/// text: the trigger's template. Members of one group share one pair: a recipient gets one message
/// for them together.
/// Errors:  bad_config, with the line.
/// Source:  RFC 4180.
#pragma once

#include "src/base/result.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::trigger {

struct Topic {
    std::string name;
    std::string text = {};   ///< a template; empty: the trigger's
    std::string group = {};  ///< empty: it has a pair of its own
};

using Topics = std::vector<Topic>;  ///< in order of the file; no name twice

inline constexpr std::size_t topics_max = 10'000;
inline constexpr std::size_t topic_octets_max = 255;

/// `text`: of the whole file, UTF-8; a byte order mark is passed by.
[[nodiscard]] Result<Topics> parse_topics(std::string_view text);

}  // namespace smsrack::trigger
