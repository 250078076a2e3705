/// Counts of a trigger's events by verdict, in one line.
#pragma once

#include "src/wire/json.hpp"

#include <string>

namespace smsrack::cli {

/// "2 new, 1 seen, 0 outside the share, 0 refused, 0 bad". Verdicts that few triggers give are named where there are any.
/// `counts`: an object with the verdicts of the API.
[[nodiscard]] std::string event_words(const wire::Json& counts);

}  // namespace smsrack::cli
