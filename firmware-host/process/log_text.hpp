/// A line of the log as text.
///
/// Threads: any.
#pragma once

#include "src/base/log.hpp"

#include <initializer_list>
#include <string>

namespace smsrack::host {

/// "name=value name=\"two words\"": what a terminal would not show as what it is is escaped, so that a line stays a line.
[[nodiscard]] std::string fields_text(std::initializer_list<LogField> fields);

}  // namespace smsrack::host
