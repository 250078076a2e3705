/// Writes the members of rows of the store as JSON of the API.
#pragma once

#include "src/ports/store_reader.hpp"
#include "src/sms/error_table.hpp"
#include "src/sms/event.hpp"
#include "src/wire/json_writer.hpp"

namespace smsrack::api {

/// A row of the list; without the text.
void append_message_row(wire::JsonWriter& json, const ports::MessageRow& row);

/// One message with its text, its history, its attempts and its segments.
void append_message(wire::JsonWriter& json, const ports::MessageDetail& message,
                    const ErrorTable& errors);

/// A received message; `data` in hexadecimal where it is not text.
void append_inbox_row(wire::JsonWriter& json, const ports::InboxRow& row);

/// The `data` of a Server-Sent Event. `inbox`: the message, with message.received.
void append_event(wire::JsonWriter& json, const Event& event, const ports::InboxRow* inbox,
                  const ErrorTable& errors);

}  // namespace smsrack::api
