/// Warns of settings that are valid but probably not intended. The service starts with them and
/// logs the warnings.
///
/// Only the file is asked here; what the machine must be asked is in firmware-host/setup.
#pragma once

#include "src/config/settings.hpp"

namespace smsrack::config {

[[nodiscard]] ConfigProblems settings_warnings(const Settings& settings);

}  // namespace smsrack::config
