/// Makes the body of a webhook's request: {"type":...,"timestamp":...,"data":{...}}.
///
/// `data` has the members of the event in /v1/events, and those of its message in /v1/messages/{id}
/// without history. A body that would be longer than body_max leaves the text out and says so
/// (`text_omitted`).
/// Threads: any.
/// Errors:  storage. A message that was removed meanwhile is not one: the event is alone then.
#pragma once

#include "src/base/result.hpp"
#include "src/ports/store_reader.hpp"
#include "src/ports/webhook_store.hpp"
#include "src/sms/error_table.hpp"
#include "src/sms/event.hpp"

namespace smsrack::api {

/// `text`: false leaves out texts and numbers.
[[nodiscard]] Result<ports::NewDelivery> delivery_of(ports::StoreReader& reader, const Event& event,
                                                     bool text, const ErrorTable& errors);

}  // namespace smsrack::api
