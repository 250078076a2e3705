#include "src/trigger/from_config.hpp"

#include "src/trigger/csv.hpp"
#include "src/trigger/topic_book.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <unordered_set>
#include <utility>

namespace smsrack::trigger {
namespace {

static_assert(config::trigger_topics_end == ports::topic_ids_end);

NumberPlan number_plan(const config::Settings& settings, const std::string& group) {
    const auto modem = std::ranges::find_if(settings.modems, [&](const config::ModemSettings& one) {
        return !group.empty() && one.line.group == group;
    });
    const config::LineSettings& line =
        modem == settings.modems.end() ? settings.defaults : modem->line;
    return {.country = line.country, .trunk = line.trunk};
}

TriggerSettings without_topics(const config::Settings& settings,
                               const config::TriggerSettings& from) {
    TriggerSettings trigger{.name = from.name,
                            .template_text = from.text,
                            .fields = from.event_fields,
                            .capacity = static_cast<std::uint64_t>(from.capacity),
                            .fp_rate = from.fp_rate,
                            .verify = from.verify,
                            .retain = from.retain,
                            .recent = from.recent,
                            .batch = from.batch,
                            .max_age = from.max_age,
                            .share = from.share,
                            .tag = from.tag,
                            .group = from.group,
                            .on_failed = static_cast<OnFailed>(from.on_failed),
                            .plan = number_plan(settings, from.group),
                            .topics_max = static_cast<std::size_t>(from.topics_max)};
    for (const config::NamedNumber& one : from.share_by_tag) {
        trigger.share_by_tag.push_back({.tag = one.name, .share = one.number});
    }
    if (from.priority) {
        trigger.level = static_cast<Level>(*from.priority);
    }
    if (from.per_minute) {
        trigger.per_minute = static_cast<std::uint32_t>(*from.per_minute);
    }
    return trigger;
}

}  // namespace

Result<TriggerSettings> from_config(const config::Settings& settings,
                                    const config::TriggerSettings& from,
                                    const std::optional<std::string>& topics) {
    TriggerSettings trigger = without_topics(settings, from);
    if (topics) {
        auto parsed = parse_topics(*topics);
        if (!parsed) {
            return std::unexpected(std::move(parsed.error()));
        }
        trigger.topics = *std::move(parsed);
    }
    if (auto good = check_texts(trigger); !good) {
        return std::unexpected(std::move(good.error()));
    }
    return trigger;
}

Result<> add_places(TriggerSettings& trigger, std::string_view text) {
    auto places = Places::parse(text);
    if (!places) {
        return std::unexpected(std::move(places.error()));
    }
    std::unordered_set<std::string_view> known;
    if (trigger.topics) {
        for (const Topic& topic : *trigger.topics) {
            known.insert(topic.name);
        }
    }
    for (const Places::Topic& topic : places->topics()) {
        if (trigger.topics && !known.contains(topic.name)) {
            return csv_fault(
                topic.line,
                fmt::format("topic {} is not in the trigger's file of topics", topic.name));
        }
    }
    if (!trigger.topics && places->topics().size() > trigger.topics_max) {
        return csv_fault(
            places->topics()[trigger.topics_max].line,
            fmt::format("more than {} topics: raise topics_max, or name the topics in a file",
                        trigger.topics_max));
    }
    trigger.places = std::make_shared<const Places>(*std::move(places));
    return {};
}

TriggerSettings closed_trigger(const config::Settings& settings,
                               const config::TriggerSettings& trigger, Closed closed) {
    TriggerSettings made = without_topics(settings, trigger);
    made.topics.emplace();
    made.closed = std::move(closed.why);
    made.closed_key = closed.key;
    return made;
}

EngineSettings engine_settings(const config::DedupSettings& settings) {
    constexpr unsigned mib_bits = 20;
    const std::string& at = settings.rebuild_at;  // "HH:MM", as the configuration has checked
    return {.cache_octets = static_cast<std::uint64_t>(settings.cache_mib) << mib_bits,
            .rebuild_at = std::chrono::hours(std::stoi(at.substr(0, 2))) +
                          std::chrono::minutes(std::stoi(at.substr(3)))};
}

}  // namespace smsrack::trigger
