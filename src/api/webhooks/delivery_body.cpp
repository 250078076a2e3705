#include "src/api/webhooks/delivery_body.hpp"

#include "src/api/message_json.hpp"
#include "src/base/time_text.hpp"
#include "src/webhook/wanted.hpp"
#include "src/wire/json_writer.hpp"

#include <optional>
#include <string>

namespace smsrack::api {
namespace {

/// What the event is about, as far as it is still there.
struct About {
    std::optional<ports::MessageRow> message = {};
    std::optional<ports::InboxRow> inbox = {};
};

/// nullopt: it was removed.
template <typename T>
Result<std::optional<T>> if_there(Result<T> found) {
    if (found) {
        return std::optional<T>(*std::move(found));
    }
    if (found.error().code == Errc::not_found) {
        return std::optional<T>();
    }
    return std::unexpected(std::move(found.error()));
}

Result<About> read_about(ports::StoreReader& reader, const Event& event) {
    About about;
    if (event.type == EventType::message_state) {
        auto found = if_there(reader.message_row(event.message));
        if (!found) {
            return std::unexpected(std::move(found.error()));
        }
        about.message = *std::move(found);
    } else if (event.type == EventType::message_received) {
        auto found = if_there(reader.inbox_row(event.inbox));
        if (!found) {
            return std::unexpected(std::move(found.error()));
        }
        about.inbox = *std::move(found);
    }
    return about;
}

std::string body_of(const Event& event, const About& about, Shown shown, bool omitted,
                    const ErrorTable& errors) {
    return wire::json_object([&](wire::JsonWriter& json) {
        json.member("type", event_name(event));
        json.member("timestamp", time_text(event.at));
        json.object("data", [&] {
            append_event_members(json, event, about.inbox ? &*about.inbox : nullptr, errors, shown);
            if (about.message) {
                append_message_of_event(json, event, *about.message, shown);
            }
            if (omitted) {
                json.member("text_omitted", true);
            }
        });
    });
}

ports::ThingId thing_of(const Event& event) {
    const std::int64_t inbox = event.inbox.value;
    return ports::ThingId{inbox != 0 ? inbox : event.message.value};
}

}  // namespace

Result<ports::NewDelivery> delivery_of(ports::StoreReader& reader, const Event& event, bool text,
                                       const ErrorTable& errors) {
    const auto about = read_about(reader, event);
    if (!about) {
        return std::unexpected(about.error());
    }
    std::string body = body_of(event, *about, {.numbers = text, .texts = text}, false, errors);
    if (body.size() > webhook::body_max) {
        body = body_of(event, *about, {.numbers = text, .texts = false}, true, errors);
    }
    return ports::NewDelivery{.event = event.seq,
                              .thing = thing_of(event),
                              .type = event_name(event),
                              .at = event.at,
                              .body = std::move(body)};
}

}  // namespace smsrack::api
