/// Parts of the rack's status that more than one command shows.
#pragma once

#include "src/wire/json.hpp"
#include "tools/smsrack/screen/table.hpp"
#include "tools/smsrack/screen/time_style.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace smsrack::cli {

/// "1 d 02:03:04".
[[nodiscard]] std::string duration_text(double seconds);

/// "99.983 %" of the seconds that the service counted: it would have accepted a submit. Rounded down, so that 100 % is all of them;
/// empty where nothing is counted yet.
[[nodiscard]] std::string availability_text(const wire::Json& status);

/// "12.3/s"; empty where the member is no number.
[[nodiscard]] std::string rate_text(const wire::Json& status, std::string_view member);

/// "1.5 s" of milliseconds; empty where the member is no number.
[[nodiscard]] std::string seconds_text(const wire::Json& level, std::string_view member);

/// A column for each level, so that the whole rack fits one screen.
[[nodiscard]] Table table_of_levels(const wire::Json& levels);

/// "queued 3, sent 5": states in the order of a message's life, then any that this program does not know.
[[nodiscard]] std::string counts_text(const wire::Json& counts);

/// What is wrong now and what to do, and paused batches: what an operator must see first.
[[nodiscard]] std::vector<Pair> troubles_of(const wire::Json& status, const TimeStyle& times);

}  // namespace smsrack::cli
