/// The triggers of a configuration, with their files of topics and of places.
///
/// A file that can't be used closes its trigger alone: a rack with a hundred other things to send starts without it.
#pragma once

#include "src/base/random.hpp"
#include "src/config/settings.hpp"
#include "src/trigger/settings.hpp"

#include <expected>
#include <string>
#include <vector>

namespace smsrack::host {

/// One trigger for each [[trigger]]; why one is closed is added to `warnings`. The error is what no file can mend,
/// such as a template that does not fit its trigger.
[[nodiscard]] std::expected<std::vector<trigger::TriggerSettings>, config::ConfigProblems>
read_triggers(const config::Settings& settings, config::ConfigProblems& warnings);

[[nodiscard]] trigger::EngineSettings trigger_settings(const config::Settings& settings,
                                                       Random& random);

}  // namespace smsrack::host
