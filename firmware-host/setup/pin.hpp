/// Reads a SIM's PIN from the place that the configuration names. It is never logged and never part
/// of Settings.
///
/// Errors:  bad_config: the file or variable is not there, or holds no PIN (4 to 8 digits); `context` says which, not what.
#pragma once

#include "src/base/result.hpp"
#include "src/config/modem_settings.hpp"

#include <string>

namespace smsrack::host {

[[nodiscard]] Result<std::string> read_pin(const config::SecretSource& source);

}  // namespace smsrack::host
