/// The settings that the triggers are made with.
#pragma once

#include "src/base/keyed_hash.hpp"
#include "src/sms/address.hpp"
#include "src/sms/level.hpp"
#include "src/trigger/places.hpp"
#include "src/trigger/share.hpp"
#include "src/trigger/topics.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace smsrack::trigger {

/// What happens to a pair whose message was certainly not delivered.
enum class OnFailed : std::uint8_t {
    release,  ///< free again when `recent` is over since its claim
    webhook,  ///< kept; webhooks, which would notify another channel, come with a later version
    keep,     ///< kept
};

struct TriggerSettings {
    std::string name = {};
    std::string template_text = {};     ///< see template.hpp
    std::optional<Topics> topics = {};  ///< absent: any topic
    /// Null: each event says its topic. Shared, since a table may be large and the service keeps its settings.
    std::shared_ptr<const Places> places = {};
    std::vector<std::string> fields = {};
    std::uint64_t capacity = 1'000'000;  ///< pairs of each topic
    double fp_rate = 1e-4;
    bool verify = true;
    std::chrono::days retain{15};
    std::chrono::seconds recent{1'800};
    /// Messages go together, at multiples of this since 1970; 0: each at once.
    std::chrono::seconds batch{30};
    std::chrono::seconds max_age{0};  ///< an older event triggers nothing; 0: no limit
    double share = 1;
    std::vector<TagShare> share_by_tag = {};  ///< of events with these tags; no tag twice
    std::string tag = {};  ///< another one selects other numbers; empty: the trigger's name
    std::optional<Level> level = {};
    std::string group = {};  ///< of lines; empty: as the routes say
    std::optional<std::uint32_t> per_minute = {};
    OnFailed on_failed = OnFailed::release;
    NumberPlan plan = {};            ///< of the events' numbers
    std::size_t topics_max = 1'000;  ///< where any topic is taken
    /// Why it takes no events, such as a file of topics that can't be read; empty: it takes them.
    std::string closed = {};
    std::string closed_key = {};  ///< of the configuration: "topics" or "cells"
};

struct EngineSettings {
    std::uint64_t cache_octets = 0;  ///< of confirmed pairs, all triggers together
    std::optional<std::chrono::minutes> rebuild_at = {};  ///< of the day, UTC
    /// Random: an attacker that knows it could choose numbers that fill a filter badly.
    HashKey filter_key = {};
};

}  // namespace smsrack::trigger
