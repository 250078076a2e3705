/// What is allowed in a configuration and yet hardly meant: the service starts with it and says so.
///
/// Only the file is asked here; what the machine must be asked is in firmware-host/setup.
#pragma once

#include "src/config/settings.hpp"

namespace smsrack::config {

[[nodiscard]] ConfigProblems settings_warnings(const Settings& settings);

}  // namespace smsrack::config
