/// A [[trigger]] of the configuration, with the text of its file of topics, as the engine takes it.
///
/// Errors:  bad_config: the line of the file, or the text of template or topic, and what is wrong with it.
#pragma once

#include "src/base/result.hpp"
#include "src/config/settings.hpp"
#include "src/trigger/settings.hpp"

#include <optional>
#include <string>

namespace smsrack::trigger {

/// `topics`: what the file has; nullopt: the trigger has none.
[[nodiscard]] Result<TriggerSettings> from_config(const config::Settings& settings,
                                                  const config::TriggerSettings& trigger,
                                                  const std::optional<std::string>& topics);

/// The same trigger where its topics can't be used: it has none, and takes no events for the reason that `closed` says.
[[nodiscard]] TriggerSettings closed_trigger(const config::Settings& settings,
                                             const config::TriggerSettings& trigger,
                                             std::string closed);

/// Without the key of the filters, which comes by chance.
[[nodiscard]] EngineSettings engine_settings(const config::DedupSettings& settings);

}  // namespace smsrack::trigger
