/// Prints the effective configuration, for people and for programs: every setting with its default
/// or the file's value.
///
/// Secrets are not in a Settings; where they are kept is shown.
#pragma once

#include "src/config/settings.hpp"

#include <string>
#include <string_view>

namespace smsrack::config {

/// TOML that load_settings() reads to the same Settings. A modem shows what differs from
/// [defaults].
[[nodiscard]] std::string settings_as_toml(const Settings& settings);

/// "text" with quotes and escapes, as TOML and JSON have them.
[[nodiscard]] std::string quoted(std::string_view text);

}  // namespace smsrack::config
