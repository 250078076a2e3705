/// The triggers of a configuration, with their files of topics.
///
/// Errors:  in words: file, line and what was expected.
#pragma once

#include "src/base/random.hpp"
#include "src/config/settings.hpp"
#include "src/trigger/settings.hpp"

#include <expected>
#include <string>
#include <vector>

namespace smsrack::host {

[[nodiscard]] std::expected<std::vector<trigger::TriggerSettings>, std::string> read_triggers(
    const config::Settings& settings);

[[nodiscard]] trigger::EngineSettings trigger_settings(const config::Settings& settings,
                                                       Random& random);

}  // namespace smsrack::host
