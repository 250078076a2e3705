/// An answer that is too large for the letter of a fleet, with its long texts cut.
///
/// Threads: any.
#pragma once

#include <string>
#include <string_view>

namespace smsrack::api {

/// The object in `json`, with each string of more than 1,000 octets ended there by an ellipsis, and `cut`: true. Unchanged where
/// none is so long.
[[nodiscard]] std::string shortened(std::string_view json);

}  // namespace smsrack::api
