#include "firmware-host/setup/trigger_files.hpp"

#include "firmware-host/setup/text_file.hpp"
#include "src/trigger/from_config.hpp"

#include <fmt/format.h>
#include <utility>

namespace smsrack::host {
namespace {

constexpr std::size_t topics_bytes_max = 256UL << 20;  // a million topics with a long text each

Result<trigger::TriggerSettings> with_topics(const config::Settings& settings,
                                             const config::TriggerSettings& from) {
    const auto topics = read_text_file(from.topics->file, topics_bytes_max);
    if (!topics) {
        return std::unexpected(topics.error());
    }
    auto made = trigger::from_config(settings, from, *topics);
    if (!made) {
        made.error().context = fmt::format("{}: {}", from.topics->file, made.error().context);
    }
    return made;
}

}  // namespace

std::expected<std::vector<trigger::TriggerSettings>, config::ConfigProblems> read_triggers(
    const config::Settings& settings, config::ConfigProblems& warnings) {
    std::vector<trigger::TriggerSettings> triggers;
    config::ConfigProblems problems;
    for (const config::TriggerSettings& from : settings.triggers) {
        auto made = from.topics ? with_topics(settings, from)
                                : trigger::from_config(settings, from, std::nullopt);
        if (made) {
            triggers.push_back(*std::move(made));
        } else if (from.topics) {
            warnings.push_back({.line = from.source_line,
                                .key = "trigger.topics",
                                .message = fmt::format("{}; trigger {} takes no events",
                                                       made.error().context, from.name)});
            triggers.push_back(trigger::closed_trigger(settings, from, made.error().context));
        } else {
            problems.push_back({.line = from.source_line,
                                .key = "trigger.template",
                                .message = made.error().context});
        }
    }
    if (!problems.empty()) {
        return std::unexpected(std::move(problems));
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
