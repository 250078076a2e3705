/// The API calls of triggers: counts, what they know of a number, rebuild of their filters, and the
/// intake of events.
///
/// Threads, Errors: as Api.
#pragma once

#include "src/api/call.hpp"

#include <memory>

namespace smsrack::api {

void list_triggers(Call call);
void get_trigger(Call call);
void trace_trigger(Call call);
void post_rebuild(Call call);

/// A feed without a body: it has no event.
void post_events(Call call);
/// Null, and answered, where the trigger is not there.
[[nodiscard]] std::unique_ptr<wire::BodyReader> post_event_lines(Call call);

}  // namespace smsrack::api
