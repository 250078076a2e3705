/// Turns a message of the API, with its details, into rows: one per segment.
#pragma once

#include "src/wire/json.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::cli {

/// Names of the columns, in their order; "text" is the last one.
[[nodiscard]] std::span<const std::string_view> segment_columns();

/// Rows with all members that segment_columns() names; null where there is nothing. A segment that was not tried yet has
/// the message's state.
[[nodiscard]] std::vector<wire::Json> segment_rows(const wire::Json& message);

/// A field of CSV (RFC 4180), quoted where it must be. `for_spreadsheet`: a cell that begins as a formula gets an
/// apostrophe before it.
[[nodiscard]] std::string csv_field(std::string_view text, bool for_spreadsheet);

}  // namespace smsrack::cli
