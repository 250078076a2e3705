/// A SIM's PIN from where the configuration says it is kept; never logged, never in a Settings.
///
/// Errors:  bad_config: the file or variable is not there, or holds no PIN (4 to 8 digits); `context` says which, not what.
#pragma once

#include "src/base/result.hpp"
#include "src/config/settings.hpp"

#include <string>

namespace smsrack::host {

[[nodiscard]] Result<std::string> read_pin(const config::SecretSource& source);

}  // namespace smsrack::host
