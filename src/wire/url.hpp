/// The target of a request: path and query, percent-decoded.
///
/// Errors:  bad_request: a broken escape, a NUL, escaped or not, or a target that is not a path.
/// Source:  RFC 3986 2.1, 3.3, 3.4; RFC 9112 3.2. "+" in a query stays "+": numbers begin with it.
#pragma once

#include "src/base/result.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smsrack::wire {

struct Target {
    std::string path;
    /// In order; without "=" the value is empty.
    std::vector<std::pair<std::string, std::string>> params = {};
};

/// "/v1/messages?state=sent", or the same behind "http://host".
[[nodiscard]] Result<Target> parse_target(std::string_view text);

/// "a b+c" -> "a%20b%2Bc", for a part of a path or a value in a query.
[[nodiscard]] std::string percent_encoded(std::string_view text);

}  // namespace smsrack::wire
