/// Checks the rules between settings; each setting is already valid by itself.
///
/// Names and ports of modems are unique, routes lead to groups that have a modem, a PIN has one
/// source, limits are in order.
#pragma once

#include "src/config/settings.hpp"
#include "src/config/table_reader.hpp"

namespace smsrack::config {

/// Adds what is wrong.
void check_settings(const Settings& settings, ProblemList& problems);

/// What is valid but probably not intended. The service starts with it and logs the warnings. Only
/// the file is asked here; what the machine must be asked is in firmware-host/setup.
[[nodiscard]] ConfigProblems settings_warnings(const Settings& settings);

}  // namespace smsrack::config
