/// Writes triggers, their rebuild, the answer of a feed and the trace of a number as JSON of the
/// API.
#pragma once

#include "src/base/result.hpp"
#include "src/ports/store_reader.hpp"
#include "src/sms/error_table.hpp"
#include "src/trigger/door.hpp"
#include "src/trigger/view.hpp"
#include "src/wire/http_message.hpp"
#include "src/wire/json_writer.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace smsrack::api {

/// not_found, with the names that there are. `door` null: there are none.
[[nodiscard]] Error no_such_trigger(const trigger::Door* door, std::string_view name);

/// What became of the lines up to `decided`. With a failure: its problem, with the same members.
[[nodiscard]] wire::HttpResponse feed_answer(const trigger::Counts& counts, std::uint64_t decided,
                                             const std::optional<Error>& failure);

/// The members of a trigger. `unreadable`: lines that were no event, which the engine never saw.
void append_trigger(wire::JsonWriter& json, const trigger::TriggerView& trigger,
                    std::uint64_t unreadable, bool with_topics);
/// The member "rebuild"; and its object alone.
void append_rebuild(wire::JsonWriter& json, const trigger::RebuildView& rebuild);
void append_rebuild_object(wire::JsonWriter& json, const trigger::RebuildView& rebuild);

/// The members of a trace. `messages`: of the pairs, in their order; nullopt if there is none, or it
/// is not kept any more.
void append_trace(wire::JsonWriter& json, const trigger::Trace& trace,
                  const std::vector<std::optional<ports::MessageDetail>>& messages,
                  const ErrorTable& errors);

/// Over all topics of a trigger.
struct FilterSum {
    std::uint64_t keys = 0;
    std::uint64_t bits = 0;
    double fp_rate_max = 0;  ///< of its worst topic
    double fill_max = 0;
};
[[nodiscard]] FilterSum sum_of(const trigger::TriggerView& trigger);

}  // namespace smsrack::api
