/// `smsrack config check FILE` and `smsrack config show`: check and show a configuration, without
/// the service.
///
/// `check` says what the service would say: both ask firmware-host/setup.
/// Errors:  bad_data where the service would not start with the file; all that is wrong is said, a line each.
#pragma once

#include "firmware-host/setup/configuration.hpp"
#include "src/config/settings.hpp"
#include "tools/smsrack/context.hpp"
#include "tools/smsrack/outcome.hpp"

#include <string>
#include <string_view>

namespace smsrack::cli {

/// Where the service has its configuration.
inline constexpr const char* usual_config = "/etc/smsrack/smsrack.toml";

/// The settings of a file, without a look at other files and at the machine. What is wrong has been said when it fails.
[[nodiscard]] Outcome<config::Settings> load_config(const std::string& file, Context& context);
/// A text that is, or will be, in `file`, as the service would take it; what is wrong has been said when it fails.
[[nodiscard]] Outcome<host::Configuration> check_config(std::string_view text,
                                                        const std::string& file, Context& context);

}  // namespace smsrack::cli
