/// Reads a fault from JSON: {"do":"cms_error","code":38,"count":3}.
///
/// Errors:  bad_request: a member is not what the fault takes.
#pragma once

#include "src/base/result.hpp"
#include "src/wire/json.hpp"
#include "tools/modem_model/faults/fault.hpp"

namespace smsrack::modem_sim {

/// What is not said is as in `row`. Members are `count`, `code`, `ms`, `at` and `text`; a few faults
/// have words of their own for them, such as `card`, `pin`, `percent` (docs/smsrack-sim.md).
[[nodiscard]] Result<Fault> fault_from(const wire::Json& order, const FaultRow& row);

/// A number from 0 to `highest`.
[[nodiscard]] Result<int> number_of(const wire::Json& order, const char* name, int otherwise,
                                    int highest);
/// A text of at most 4096 octets.
[[nodiscard]] Result<std::string> text_of(const wire::Json& order, const char* name,
                                          std::string_view otherwise);

}  // namespace smsrack::modem_sim
