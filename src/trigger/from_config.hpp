/// Makes the engine's trigger from a [[trigger]] of the configuration and the text of its file of
/// topics.
///
/// Errors:  bad_config: the line of the file, or the text of template or topic, and what is wrong with it.
#pragma once

#include "src/base/result.hpp"
#include "src/config/settings.hpp"
#include "src/trigger/settings.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace smsrack::trigger {

/// `topics`: what the file has; nullopt: the trigger has none.
[[nodiscard]] Result<TriggerSettings> from_config(const config::Settings& settings,
                                                  const config::TriggerSettings& trigger,
                                                  const std::optional<std::string>& topics);

/// Gives it the table of places with this text of its file. Each of their topics must be one of the trigger's.
[[nodiscard]] Result<> add_places(TriggerSettings& trigger, std::string_view text);

/// Why a trigger takes no events, and by which key.
struct Closed {
    std::string_view key = {};
    std::string why = {};
};

/// The same trigger where one of its files can't be used: it has no topics, and takes no events for the reason that `closed` says.
[[nodiscard]] TriggerSettings closed_trigger(const config::Settings& settings,
                                             const config::TriggerSettings& trigger, Closed closed);

/// Without the key of the filters, which comes by chance.
[[nodiscard]] EngineSettings engine_settings(const config::DedupSettings& settings);

}  // namespace smsrack::trigger
