/// A request of HTTP as it was recorded: its head and its body, octet by octet.
///
/// A head may end its lines with CR LF or LF, as tools that record requests do.
/// Errors:  bad_request: there is no head, or the body is not as long as the head says; too_long.
#pragma once

#include "src/base/result.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smsrack::cli {

struct RawRequest {
    std::vector<std::pair<std::string, std::string>> headers = {};  ///< names in small letters
    std::string_view body = {};                                     ///< of the text

    /// The first such header, or an empty view.
    [[nodiscard]] std::string_view header(std::string_view name) const;
};

/// Valid as long as the text.
[[nodiscard]] Result<RawRequest> raw_request_of(std::string_view text);

/// All of a descriptor, of at most 1 MiB.
[[nodiscard]] Result<std::string> read_raw_request(int fd);

}  // namespace smsrack::cli
