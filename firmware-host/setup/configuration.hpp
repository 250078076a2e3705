/// Reads a configuration for the service: the file, the files that it names, and the checks that
/// only this machine can do.
///
/// The service at its start, at a reload and after an upgrade, and `smsrack config check`, all ask these functions; so what the
/// check says is what the service would say.
/// Threads: any.
/// Errors:  all that the service would refuse to start with.
#pragma once

#include "firmware-host/setup/machine_checks.hpp"
#include "src/base/result.hpp"
#include "src/config/settings.hpp"
#include "src/ports/condition.hpp"
#include "src/sms/error_table.hpp"
#include "src/trigger/settings.hpp"

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::host {

struct Configuration {
    config::Settings settings = {};
    ErrorTable errors;
    std::vector<trigger::TriggerSettings> triggers = {};  ///< some may be closed
    config::ConfigProblems warnings = {};                 ///< the service starts nevertheless
};

/// Of the file with this name.
[[nodiscard]] std::expected<Configuration, config::ConfigError> read_configuration(
    const std::string& file);

/// Of a text that is, or will be, in `file`.
[[nodiscard]] std::expected<Configuration, config::ConfigError> configuration_of(
    std::string_view text, const std::string& file, Rights rights = Rights::of_service);

/// One condition for all warnings, so that the operator sees them together with other faults.
/// `warnings` has one at least.
[[nodiscard]] ports::Condition condition_of(const config::ConfigProblems& warnings,
                                            const std::string& file);

/// A configuration that can't be read, as read_text_file() said.
[[nodiscard]] config::ConfigError unreadable(const std::string& file, const Error& why);

}  // namespace smsrack::host
