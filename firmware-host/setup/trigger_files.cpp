#include "firmware-host/setup/trigger_files.hpp"

#include "firmware-host/setup/text_file.hpp"
#include "src/trigger/from_config.hpp"

#include <fmt/format.h>
#include <utility>

namespace smsrack::host {
namespace {

constexpr std::size_t topics_bytes_max = 256UL << 20;  // a million topics with a long text each
// As many rows as there may be, of the longest.
constexpr std::size_t cells_bytes_max = 128UL << 20;

std::unexpected<trigger::Closed> closed(std::string_view key, const std::string& file,
                                        const Error& why) {
    return std::unexpected(
        trigger::Closed{.key = key, .why = fmt::format("{}: {}", file, why.context)});
}

/// With the files that it names. Without a file of topics, the error has no key where the trigger's texts are at fault.
std::expected<trigger::TriggerSettings, trigger::Closed> with_files(
    const config::Settings& settings, const config::TriggerSettings& from) {
    std::optional<std::string> topics;
    if (from.topics) {
        auto text = read_text_file(from.topics->file, topics_bytes_max);
        if (!text) {
            return std::unexpected(trigger::Closed{.key = "topics", .why = text.error().context});
        }
        topics = *std::move(text);
    }
    auto made = trigger::from_config(settings, from, topics);
    if (!made && from.topics) {
        return closed("topics", from.topics->file, made.error());
    }
    if (!made) {
        return std::unexpected(trigger::Closed{.why = made.error().context});
    }
    if (from.cells) {
        const auto text = read_text_file(from.cells->file, cells_bytes_max);
        if (!text) {
            return std::unexpected(trigger::Closed{.key = "cells", .why = text.error().context});
        }
        if (const auto added = trigger::add_places(*made, *text); !added) {
            return closed("cells", from.cells->file, added.error());
        }
    }
    return *std::move(made);
}

}  // namespace

std::expected<std::vector<trigger::TriggerSettings>, config::ConfigProblems> read_triggers(
    const config::Settings& settings, config::ConfigProblems& warnings) {
    std::vector<trigger::TriggerSettings> triggers;
    config::ConfigProblems problems;
    for (const config::TriggerSettings& from : settings.triggers) {
        auto made = with_files(settings, from);
        if (made) {
            triggers.push_back(*std::move(made));
        } else if (!made.error().key.empty()) {
            warnings.push_back({.line = from.source_line,
                                .key = fmt::format("trigger.{}", made.error().key),
                                .message = fmt::format("{}; trigger {} takes no events",
                                                       made.error().why, from.name)});
            triggers.push_back(trigger::closed_trigger(settings, from, std::move(made.error())));
        } else {
            problems.push_back(
                {.line = from.source_line, .key = "trigger.template", .message = made.error().why});
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
