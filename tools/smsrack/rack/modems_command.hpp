/// Modems as rows of a table; `smsrack modems` lists them, `smsrack modem show NAME` shows one.
#pragma once

#include "src/wire/json.hpp"
#include "tools/smsrack/screen/table.hpp"
#include "tools/smsrack/screen/time_style.hpp"

namespace smsrack::cli {

/// A row for each modem of the API's list.
[[nodiscard]] Table table_of_modems(const wire::Json& modems, const TimeStyle& times);

}  // namespace smsrack::cli
