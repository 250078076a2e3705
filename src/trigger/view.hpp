/// What the engine reports of itself: for the API, the metrics and the trace of a number.
#pragma once

#include "src/base/clock.hpp"
#include "src/ports/trigger_store.hpp"
#include "src/trigger/event.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace smsrack::trigger {

/// Of a topic, or of a group of topics, whose members share one pair.
struct TopicView {
    std::string name = {};
    ports::TopicId id = {};
    std::vector<std::string> members = {};  ///< of a group
    std::uint64_t keys = 0;                 ///< pairs in its filter
    std::uint64_t bits = 0;
    double fill = 0;     ///< part of the bits that are set
    double fp_rate = 0;  ///< as estimated now
    std::uint32_t generations = 0;
    std::uint64_t fresh = 0;  ///< events since the start
    std::uint64_t seen = 0;
};

/// Why events wait.
enum class WaitingFor : std::uint8_t { nothing, store, overload, capacity };
inline constexpr std::array<std::string_view, 4> waiting_names{"nothing", "store", "overload",
                                                               "capacity"};

struct RebuildView {
    bool running = false;
    /// The one of the start: until its end the index answers all that the filters can't.
    bool first = false;
    std::uint64_t rows = 0;           ///< read so far, or by the last one
    std::uint64_t rows_expected = 0;  ///< by the one before; 0: not known
    std::uint64_t forgotten = 0;      ///< rows past their days, removed
    std::optional<WallTime> began_at = {};
    std::optional<WallTime> ended_at = {};  ///< of the last one that ended
    std::chrono::milliseconds took{0};
    std::string failure = {};  ///< why the last one ended without a swap; empty: it did not
};

/// Events by the tag of their user, where the share differs by tag.
struct TagView {
    std::optional<std::string> tag = {};  ///< nullopt: all other tags, and none
    double share = 1;
    Counts counts = {};  ///< since the start, without samples
};

struct TriggerView {
    std::string name = {};
    bool verify = true;
    std::chrono::seconds max_age{0};  ///< of an event; 0: no limit
    double share = 1;
    std::vector<TagView> tags = {};  ///< those of the configuration, and the rest last
    std::optional<std::uint32_t> per_minute = {};
    std::chrono::seconds batch{0};
    std::uint64_t capacity = 0;
    double fp_rate = 0;
    Counts counts = {};            ///< since the start; its samples are the last ones
    std::uint64_t cached = 0;      ///< answered by the cache of confirmed pairs
    std::uint64_t looked_up = 0;   ///< answered by the exact index
    std::uint64_t false_hits = 0;  ///< of those, that the filter took for known and were not
    std::uint64_t waiting = 0;     ///< events taken and not decided
    WaitingFor waiting_for = WaitingFor::nothing;
    std::optional<std::chrono::milliseconds> retry_after = {};
    std::uint64_t ahead = 0;       ///< segments of messages that wait for their batch or minute
    std::string batch_label = {};  ///< of the messages that are made now; see ports::BatchRow
    std::vector<TopicView> topics = {};
};

struct EngineView {
    RebuildView rebuild = {};
    std::uint64_t cache_pairs = 0;
    std::uint64_t cache_octets = 0;
    std::uint64_t filter_octets = 0;
    std::vector<TriggerView> triggers = {};
};

/// A number in one topic of a trigger.
struct TracedPair {
    std::string topic = {};  ///< or its group
    bool in_filter = false;
    bool in_cache = false;
    std::optional<ports::PairRow> row = {};
    Verdict verdict = Verdict::fresh;  ///< of an event that came now
    std::string why = {};
};

struct Trace {
    std::string number = {};             ///< normalised
    bool in_share = true;                ///< of events without a tag
    std::vector<std::string> tags = {};  ///< with which it is in the share
    /// Those with a row or a bit; of `topic` alone where one was asked for.
    std::vector<TracedPair> pairs = {};
};

}  // namespace smsrack::trigger
