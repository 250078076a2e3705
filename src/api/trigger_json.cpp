#include "src/api/trigger_json.hpp"

#include "src/api/message_json.hpp"
#include "src/api/problem.hpp"
#include "src/api/text.hpp"
#include "src/base/time_text.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace smsrack::api {
namespace {

constexpr std::array<std::string_view, 4> pair_state_names{"claimed", "sent", "failed", "doubtful"};

void append_time(wire::JsonWriter& json, std::string_view name, std::optional<WallTime> at) {
    member_or_null(json, name, at ? time_text(*at) : "");
}

void append_counts(wire::JsonWriter& json, const trigger::Counts& counts) {
    json.member("accepted", counts.accepted());
    for (std::size_t i = 0; i < trigger::verdict_count; ++i) {
        json.member(trigger::verdict_names.at(i), counts.by_verdict.at(i));
    }
}

void append_samples(wire::JsonWriter& json, const trigger::Counts& counts) {
    json.key("samples");
    json.begin_array();
    for (const trigger::BadEvent& bad : counts.samples) {
        json.begin_object();
        json.member("line", bad.line);
        json.member("why", valid_text(bad.why));
        json.end_object();
    }
    json.end_array();
}

void append_tags(wire::JsonWriter& json, const std::vector<trigger::TagView>& tags) {
    json.key("tags");
    json.begin_array();
    for (const trigger::TagView& tag : tags) {
        json.begin_object();
        member_or_null(json, "tag", tag.tag.value_or(""));
        json.member("share", tag.share);
        json.key("events");
        json.begin_object();
        append_counts(json, tag.counts);
        json.end_object();
        json.end_object();
    }
    json.end_array();
}

void append_topic(wire::JsonWriter& json, const trigger::TopicView& topic) {
    json.begin_object();
    json.member("topic", valid_text(topic.name));
    if (!topic.members.empty()) {
        json.key("members");
        json.begin_array();
        for (const std::string& member : topic.members) {
            json.value(valid_text(member));
        }
        json.end_array();
    }
    json.member("keys", topic.keys);
    json.member("bits", topic.bits);
    json.member("fill", topic.fill);
    json.member("fp_estimate", topic.fp_rate);
    json.member("generations", topic.generations);
    json.member("new", topic.fresh);
    json.member("seen", topic.seen);
    json.end_object();
}

void append_pair(wire::JsonWriter& json, const trigger::TracedPair& pair,
                 const std::optional<ports::MessageDetail>& message, const ErrorTable& errors) {
    json.begin_object();
    json.member("topic", valid_text(pair.topic));
    json.member("verdict", trigger::verdict_names.at(static_cast<std::size_t>(pair.verdict)));
    json.member("why", pair.why);
    json.member("in_filter", pair.in_filter);
    json.member("in_cache", pair.in_cache);
    member_or_null(json, "state",
                   pair.row ? pair_state_names.at(static_cast<std::size_t>(pair.row->state)) : "");
    append_time(json, "claimed_at", pair.row ? std::optional(pair.row->claimed_at) : std::nullopt);
    member_or_null(json, "message_id",
                   pair.row && pair.row->message != MessageId{} ? id_text(pair.row->message) : "");
    json.key("message");
    if (message) {
        append_message(json, *message, errors);
    } else {
        json.null();
    }
    json.end_object();
}

}  // namespace

Error no_such_trigger(const TriggerDoor* door, std::string_view name) {
    std::vector<std::string> names;
    if (door != nullptr) {
        for (const trigger::TriggerView& trigger : door->view().triggers) {
            names.push_back(trigger.name);
        }
    }
    return {.code = Errc::not_found,
            .context = "no trigger is called " + valid_text(name) + what_there_is(names)};
}

wire::HttpResponse feed_answer(const trigger::Counts& counts, std::uint64_t decided,
                               const std::optional<Error>& failure) {
    wire::HttpResponse response = failure ? problem(*failure) : wire::HttpResponse{};
    if (failure) {  // RFC 9457 3.2: further members
        response.body.back() = ',';
    } else {
        response.body = "{";
    }
    wire::JsonWriter json(response.body);
    append_counts(json, counts);
    json.member("lines", decided);
    append_samples(json, counts);
    json.end_object();
    return response;
}

FilterSum sum_of(const trigger::TriggerView& trigger) {
    FilterSum sum;
    for (const trigger::TopicView& topic : trigger.topics) {
        sum.keys += topic.keys;
        sum.bits += topic.bits;
        sum.fp_rate_max = std::max(sum.fp_rate_max, topic.fp_rate);
        sum.fill_max = std::max(sum.fill_max, topic.fill);
    }
    return sum;
}

void append_trigger(wire::JsonWriter& json, const trigger::TriggerView& trigger,
                    std::uint64_t unreadable, bool with_topics) {
    const FilterSum sum = sum_of(trigger);
    trigger::Counts counts = trigger.counts;
    counts.count(trigger::Verdict::bad, unreadable);
    json.begin_object();
    json.member("name", trigger.name);
    json.member("verify", trigger.verify);
    json.member("max_age_s", trigger.max_age.count() == 0
                                 ? std::nullopt
                                 : std::optional(std::int64_t{trigger.max_age.count()}));
    json.member("share", trigger.share);
    if (!trigger.tags.empty()) {
        append_tags(json, trigger.tags);
    }
    json.member("per_minute", trigger.per_minute);
    json.member("batch_s", trigger.batch.count());
    json.member("capacity", trigger.capacity);
    json.member("fp_rate", trigger.fp_rate);
    json.key("events");
    json.begin_object();
    append_counts(json, counts);
    json.end_object();
    json.member("by_cache", trigger.cached);
    json.member("by_index", trigger.looked_up);
    json.member("false_hits", trigger.false_hits);
    json.member("waiting", trigger.waiting);
    json.member("waiting_for",
                trigger::waiting_names.at(static_cast<std::size_t>(trigger.waiting_for)));
    json.member("retry_after_ms", trigger.retry_after
                                      ? std::optional(std::int64_t{trigger.retry_after->count()})
                                      : std::nullopt);
    json.member("ahead", trigger.ahead);
    member_or_null(json, "batch", trigger.batch_label);
    json.member("keys", sum.keys);
    json.member("bits", sum.bits);
    json.member("fp_estimate", sum.fp_rate_max);
    json.member("topic_count", trigger.topics.size());
    if (with_topics) {
        json.key("topics");
        json.begin_array();
        for (const trigger::TopicView& topic : trigger.topics) {
            append_topic(json, topic);
        }
        json.end_array();
        append_samples(json, trigger.counts);
    }
    json.end_object();
}

void append_rebuild(wire::JsonWriter& json, const trigger::RebuildView& rebuild) {
    json.begin_object();
    json.member("running", rebuild.running);
    json.member("first", rebuild.first);
    json.member("rows", rebuild.rows);
    json.member("rows_expected", rebuild.rows_expected);
    json.member("forgotten", rebuild.forgotten);
    append_time(json, "began_at", rebuild.began_at);
    append_time(json, "ended_at", rebuild.ended_at);
    json.member("took_ms", rebuild.took.count());
    member_or_null(json, "failure", valid_text(rebuild.failure));
    json.end_object();
}

void append_trace(wire::JsonWriter& json, const trigger::Trace& trace,
                  const std::vector<std::optional<ports::MessageDetail>>& messages,
                  const ErrorTable& errors) {
    json.begin_object();
    json.member("number", trace.number);
    json.member("in_share", trace.in_share);
    json.key("in_share_with_tags");
    json.begin_array();
    for (const std::string& tag : trace.tags) {
        json.value(tag);
    }
    json.end_array();
    json.key("pairs");
    json.begin_array();
    for (std::size_t i = 0; i < trace.pairs.size(); ++i) {
        append_pair(json, trace.pairs[i], i < messages.size() ? messages[i] : std::nullopt, errors);
    }
    json.end_array();
    json.end_object();
}

}  // namespace smsrack::api
