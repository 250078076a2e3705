#include "firmware-host/trigger_files.hpp"

#include "firmware-host/config_file.hpp"
#include "src/trigger/from_config.hpp"

#include <fmt/format.h>
#include <utility>

namespace smsrack::host {

namespace {

constexpr std::size_t topics_bytes_max = 256UL << 20;  // a million topics with a long text each

}  // namespace

std::expected<std::vector<trigger::TriggerSettings>, std::string> read_triggers(
    const config::Settings& settings) {
    std::vector<trigger::TriggerSettings> triggers;
    for (const config::TriggerSettings& from : settings.triggers) {
        const std::string file = from.topics ? from.topics->file : "";
        const auto topics = file.empty() ? std::nullopt : read_config(file, topics_bytes_max);
        if (!file.empty() && !topics) {
            return std::unexpected(
                fmt::format("{}: can't be read (trigger {}: topics)", file, from.name));
        }
        auto trigger = trigger::from_config(settings, from, topics);
        if (!trigger) {
            return std::unexpected(fmt::format("{}{}trigger {}: {}", file, file.empty() ? "" : ": ",
                                               from.name, trigger.error().context));
        }
        triggers.push_back(*std::move(trigger));
    }
    return triggers;
}

trigger::EngineSettings trigger_settings(const config::Settings& settings, Random& random) {
    trigger::EngineSettings engine = trigger::engine_settings(settings.dedup);
    for (std::uint8_t& octet : engine.filter_key) {
        octet = static_cast<std::uint8_t>(random.next());
    }
    return engine;
}

}  // namespace smsrack::host
