/// Recognises a received text that asks for no further messages, or for messages again: it must be
/// one of the known words and nothing else.
///
/// Blanks and marks at its ends don't count, nor does the case of Latin, Greek and Cyrillic letters.
/// Threads: any; immutable.
#pragma once

#include "src/ports/store_rules.hpp"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::rules {

class OptOutWords {
public:
    OptOutWords(const std::vector<std::string>& stop, const std::vector<std::string>& start);

    [[nodiscard]] ports::OptOutWish wish_of(std::string_view text) const;

private:
    std::set<std::string> stop_;  // as folded() gives them
    std::set<std::string> start_;
};

/// Without blanks and marks at its ends, blanks within as one, in small letters. `text`: UTF-8.
[[nodiscard]] std::string folded(std::string_view text);

}  // namespace smsrack::rules
