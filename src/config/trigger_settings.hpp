/// [[trigger]]: the settings of a trigger, which sends one message per number and topic.
///
/// The struct has its `fields`, as in settings.hpp.
#pragma once

#include "src/config/field.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace smsrack::config {

/// What the filters have places for, of all triggers.
inline constexpr std::int64_t trigger_topics_end = 16'384;

/// What happens to a pair whose message was certainly not delivered.
enum class TriggerOnFailed : std::uint8_t { release, webhook, keep };

template <>
struct Words<TriggerOnFailed> {
    static constexpr std::array<std::string_view, 3> names{"release", "webhook", "keep"};
};

/// Where the topics are.
struct TopicsSource {
    std::string file = {};

    static constexpr auto fields = std::tuple{
        field("file", &TopicsSource::file, form(Form::absolute_path).needed(),
              "CSV: topic, text, group"),
    };
};

/// Where the places of topics are.
struct CellsSource {
    std::string file = {};

    static constexpr auto fields = std::tuple{
        field("file", &CellsSource::file, form(Form::absolute_path).needed(),
              "CSV: cell, topic; or lat, lon, km, topic"),
    };
};

struct TriggerSettings {
    std::string name = {};
    std::string text = {};  ///< of the key `template`
    std::optional<TopicsSource> topics = {};
    std::optional<CellsSource> cells = {};
    std::vector<std::string> event_fields = {};
    std::int64_t topics_max = 1'000;
    std::int64_t capacity = 1'000'000;
    double fp_rate = 1e-4;
    bool verify = true;
    std::chrono::days retain{15};
    std::chrono::seconds recent{1'800};
    std::chrono::seconds batch{30};
    std::chrono::seconds max_age{0};
    double share = 1;
    NamedNumbers share_by_tag = {};
    std::string tag = {};
    std::optional<std::int64_t> priority = {};
    std::string group = {};
    std::optional<std::int64_t> per_minute = {};
    TriggerOnFailed on_failed = TriggerOnFailed::release;
    int source_line = 0;

    static constexpr auto fields = std::tuple{
        field("name", &TriggerSettings::name, form(Form::name).needed(), "unique"),
        field("template", &TriggerSettings::text, form(Form::any),
              "of the message: {topic}, {number}, {text} of the topic, and `fields` of the event"),
        field("topics", &TriggerSettings::topics, form(Form::any),
              "where they are; absent: any topic, the template for all"),
        field("cells", &TriggerSettings::cells, form(Form::any),
              "where the topics of cells and of points on the map are; absent: each event says its "
              "topic"),
        field("fields", &TriggerSettings::event_fields, form(Form::name),
              "further fields of an event that templates may use"),
        field("topics_max", &TriggerSettings::topics_max, range(1, trigger_topics_end - 1),
              "topics taken where any is; an event of one more is bad"),
        field("capacity", &TriggerSettings::capacity, range(1, 1'000'000'000),
              "numbers per topic that its filter is made for"),
        field("fp_rate", &TriggerSettings::fp_rate, range(0, 1), "of the filter: 0.000001 to 0.1"),
        field("verify", &TriggerSettings::verify, form(Form::any),
              "a filter hit is confirmed in the exact index; false: the filter alone decides"),
        field("retain_days", &TriggerSettings::retain, range(1, 3'650),
              "after this a pair is forgotten, by the next rebuild"),
        field("recent_s", &TriggerSettings::recent, range(0, 604'800),
              "a pair claimed within this is never claimed again, whatever its outcome"),
        field("batch_s", &TriggerSettings::batch, range(0, 3'600),
              "messages are sent together, once in this many seconds; 0: at once"),
        field("max_age_s", &TriggerSettings::max_age, range(0, 31'536'000),
              "an event whose `time` is longer ago triggers nothing; 0: any age"),
        field("share", &TriggerSettings::share, range(0, 1),
              "part of the numbers that get messages"),
        field("share_by_tag", &TriggerSettings::share_by_tag, range(0, 1),
              "the same for events with one of these tags; others have `share`"),
        field("tag", &TriggerSettings::tag, form(Form::any),
              "of the share: another one selects other numbers; absent: the name"),
        field("priority", &TriggerSettings::priority, range(0, priority_levels - 1),
              "of the messages; absent: that of [priority]"),
        field("group", &TriggerSettings::group, form(Form::name),
              "of the modems; absent: as the routes say"),
        field("per_minute", &TriggerSettings::per_minute, range(1, 1'000'000),
              "messages that become due in one minute; the others wait; absent: any number"),
        field("on_failed", &TriggerSettings::on_failed, form(Form::any),
              "the message failed: release (a later event is new) | webhook (its event tells "
              "another channel) | keep"),
    };
};

}  // namespace smsrack::config
