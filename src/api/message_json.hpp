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

/// What is left out for a reader that must not get it.
struct Shown {
    bool numbers = true;
    bool texts = true;
};

/// The `data` of a Server-Sent Event. `inbox`: the message, with message.received.
void append_event(wire::JsonWriter& json, const Event& event, const ports::InboxRow* inbox,
                  const ErrorTable& errors);
/// The same members, for an object that has more.
void append_event_members(wire::JsonWriter& json, const Event& event, const ports::InboxRow* inbox,
                          const ErrorTable& errors, Shown shown = {});
/// What an event does not say of its message; without history, attempts and segments.
void append_message_of_event(wire::JsonWriter& json, const Event& event,
                             const ports::MessageRow& row, Shown shown);

}  // namespace smsrack::api
