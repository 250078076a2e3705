#include "src/api/triggers/trigger_json.hpp"

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

void append_counts(wire::JsonWriter& json, const trigger::Counts& counts) {
    json.member("accepted", counts.accepted());
    for (std::size_t i = 0; i < trigger::verdict_count; ++i) {
        json.member(trigger::verdict_names.at(i), counts.by_verdict.at(i));
    }
}

void append_samples(wire::JsonWriter& json, const trigger::Counts& counts) {
    json.objects("samples", counts.samples, [&](const trigger::BadEvent& bad) {
        json.member("line", bad.line);
        json.member("why", valid_text(bad.why));
    });
}

void append_topic(wire::JsonWriter& json, const trigger::TopicView& topic) {
    json.member("topic", valid_text(topic.name));
    if (!topic.members.empty()) {
        append_texts(json, "members", topic.members);
    }
    json.member("keys", topic.keys);
    json.member("bits", topic.bits);
    json.member("fill", topic.fill);
    json.member("fp_estimate", topic.fp_rate);
    json.member("generations", topic.generations);
    json.member("new", topic.fresh);
    json.member("seen", topic.seen);
}

void append_pair(wire::JsonWriter& json, const trigger::TracedPair& pair,
                 const std::optional<ports::MessageDetail>& message, const ErrorTable& errors) {
    json.member("topic", valid_text(pair.topic));
    json.member("verdict", trigger::verdict_names.at(static_cast<std::size_t>(pair.verdict)));
    json.member("why", pair.why);
    json.member("in_filter", pair.in_filter);
    json.member("in_cache", pair.in_cache);
    member_or_null(json, "state",
                   pair.row ? pair_state_names.at(static_cast<std::size_t>(pair.row->state)) : "");
    member_or_null(json, "claimed_at",
                   pair.row ? std::optional(pair.row->claimed_at) : std::nullopt);
    member_or_null(json, "message_id", pair.row ? pair.row->message : MessageId{});
    json.object_or_null("message", message, [&](const ports::MessageDetail& detail) {
        append_message(json, detail, errors);
    });
}

}  // namespace

Error no_such_trigger(const trigger::Door* door, std::string_view name) {
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
    json.member("name", trigger.name);
    json.member("verify", trigger.verify);
    json.member("max_age_s", trigger.max_age.count() == 0
                                 ? std::nullopt
                                 : std::optional(std::int64_t{trigger.max_age.count()}));
    json.member("share", trigger.share);
    if (!trigger.tags.empty()) {
        json.objects("tags", trigger.tags, [&](const trigger::TagView& tag) {
            member_or_null(json, "tag", tag.tag.value_or(""));
            json.member("share", tag.share);
            json.object("events", [&] { append_counts(json, tag.counts); });
        });
    }
    json.member("per_minute", trigger.per_minute);
    json.member("batch_s", trigger.batch.count());
    json.member("capacity", trigger.capacity);
    json.member("fp_rate", trigger.fp_rate);
    json.object("events", [&] { append_counts(json, counts); });
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
        json.objects("topics", trigger.topics,
                     [&](const trigger::TopicView& topic) { append_topic(json, topic); });
        append_samples(json, trigger.counts);
    }
}

void append_rebuild(wire::JsonWriter& json, const trigger::RebuildView& rebuild) {
    json.key("rebuild");
    append_rebuild_object(json, rebuild);
}

void append_rebuild_object(wire::JsonWriter& json, const trigger::RebuildView& rebuild) {
    json.object([&] {
        json.member("running", rebuild.running);
        json.member("first", rebuild.first);
        json.member("rows", rebuild.rows);
        json.member("rows_expected", rebuild.rows_expected);
        json.member("forgotten", rebuild.forgotten);
        member_or_null(json, "began_at", rebuild.began_at);
        member_or_null(json, "ended_at", rebuild.ended_at);
        json.member("took_ms", rebuild.took.count());
        member_or_null(json, "failure", valid_text(rebuild.failure));
    });
}

void append_trace(wire::JsonWriter& json, const trigger::Trace& trace,
                  const std::vector<std::optional<ports::MessageDetail>>& messages,
                  const ErrorTable& errors) {
    json.member("number", trace.number);
    json.member("in_share", trace.in_share);
    json.list("in_share_with_tags", trace.tags);
    std::size_t i = 0;
    json.objects("pairs", trace.pairs, [&](const trigger::TracedPair& pair) {
        append_pair(json, pair, i < messages.size() ? messages[i] : std::nullopt, errors);
        ++i;
    });
}

}  // namespace smsrack::api
