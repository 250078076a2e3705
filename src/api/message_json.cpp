#include "src/api/message_json.hpp"

#include "src/api/text.hpp"
#include "src/base/time_text.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace smsrack::api {
namespace {

using wire::JsonWriter;

void time_member(JsonWriter& json, std::string_view name, const std::optional<WallTime>& time) {
    if (time) {
        json.member(name, time_text(*time));
    } else {
        json.member_null(name);
    }
}

/// People count segments from 1.
constexpr int shown_index(std::uint8_t index) {
    return index + 1;
}

void append_row_members(JsonWriter& json, const ports::MessageRow& row) {
    json.member("id", id_text(row.id));
    json.member("to", row.to);
    json.member("state", message_state_name(row.state));
    json.member("priority", row.level);
    json.member("segments", row.segments);
    member_or_null(json, "modem", row.modem);
    json.member("created_at", time_text(row.created_at));
    json.member("updated_at", time_text(row.updated_at));
    json.member("partial", row.partial);
    member_or_null(json, "code", code_text(row.cause, row.detail));
    member_or_null(json, "ref", row.ref);
    member_or_null(json, "batch", row.batch);
    member_or_null(json, "client", row.client);
}

void append_ports(JsonWriter& json, const PortAddress& ports) {
    json.key("ports");
    json.begin_object();
    json.member("dst", ports.dst);
    json.member("src", ports.src);
    json.member("bits", 16);
    json.end_object();
}

void append_body(JsonWriter& json, const MessageBody& body) {
    if (body.is_data) {
        json.member("data", hex_text(body.data));
    } else {
        json.member("text", body.text);
    }
    json.member("report", body.report);
    if (body.message_class) {
        json.member("class", *body.message_class);
    }
    if (body.ports) {
        append_ports(json, *body.ports);
    }
}

/// What due_at means depends on the state.
void append_due(JsonWriter& json, const ports::MessageRow& row) {
    if (!row.due_at || *row.due_at >= ports::no_end_yet) {
        return;
    }
    switch (row.state) {
        case MessageState::scheduled:
            time_member(json, "not_before", row.due_at);
            break;
        case MessageState::uncertain:
            time_member(json, "uncertain_until", row.due_at);
            break;
        default:
            time_member(json, "next_attempt_at", row.due_at);
            break;
    }
}

void append_history_entry(JsonWriter& json, const Event& event, const ErrorTable& errors) {
    json.begin_object();
    json.member("at", time_text(event.at));
    json.member("state", message_state_name(event.state));
    json.member("segment", shown_index(event.segment));
    if (event.attempt > 0) {
        json.member("attempt", event.attempt);
    }
    if (!event.modem.empty()) {
        json.member("modem", event.modem);
    }
    append_cause(json, errors, {.cause = event.cause, .detail = event.detail});
    json.end_object();
}

std::string_view outcome_name(OutcomeKind kind) {
    switch (kind) {
        case OutcomeKind::open:
            return "open";
        case OutcomeKind::accepted:
            return "accepted";
        case OutcomeKind::refused:
            return "refused";
        case OutcomeKind::not_sent:
            return "not_sent";
        case OutcomeKind::unknown:
            return "unknown";
    }
    return "unknown";
}

void append_attempt(JsonWriter& json, const ports::AttemptRow& attempt, const ErrorTable& errors) {
    json.begin_object();
    json.member("at", time_text(attempt.started_at));
    time_member(json, "ended_at", attempt.ended_at);
    json.member("segment", shown_index(attempt.segment));
    json.member("attempt", attempt.number);
    json.member("modem", attempt.modem);
    json.member("outcome", outcome_name(attempt.outcome.kind));
    if (attempt.outcome.has_tp_mr) {
        json.member("tp_mr", attempt.outcome.tp_mr);
    }
    append_cause(json, errors,
                 {.cause = attempt.outcome.cause,
                  .pdu_sent = attempt.outcome.kind != OutcomeKind::not_sent});
    json.end_object();
}

void append_segment(JsonWriter& json, const ports::SegmentRow& segment) {
    json.begin_object();
    json.member("segment", shown_index(segment.index));
    json.member("state", message_state_name(segment.state));
    json.member("tp_mr", segment.tp_mr);
    json.member("tp_status", segment.tp_status);
    time_member(json, "reported_at", segment.reported_at);
    time_member(json, "discharged_at", segment.discharge);
    json.end_object();
}

template <typename Rows, typename Append>
void append_list(JsonWriter& json, std::string_view name, const Rows& rows, Append append) {
    json.key(name);
    json.begin_array();
    for (const auto& row : rows) {
        append(json, row);
    }
    json.end_array();
}

void append_inbox_members(JsonWriter& json, const ports::InboxRow& row) {
    json.member("id", id_text(row.id));
    json.member("from", row.from);
    member_or_null(json, "to", row.to);
    if (row.content.is_data || row.undecodable) {
        json.member_null("text");
        json.member("data", hex_text(row.content.data));
    } else {
        json.member("text", row.content.text);
    }
    json.member("modem", row.modem);
    member_or_null(json, "reply_to",
                   row.reply_to.value == 0 ? std::string() : id_text(row.reply_to));
    member_or_null(json, "scts", row.scts_text);
    json.member("received_at", time_text(row.received_at));
    json.member("segments", row.segments);
    if (row.incomplete) {
        json.member("incomplete", true);
    }
    if (row.undecodable) {
        json.member("undecodable", true);
    }
    if (row.maybe_repeat) {
        json.member("maybe_repeat", true);
    }
    if (row.message_class) {
        json.member("class", *row.message_class);
    }
    if (row.ports) {
        append_ports(json, *row.ports);
    }
    if (row.waiting) {
        json.key("waiting");
        json.begin_object();
        json.member("where", waiting_where_names.at(static_cast<std::size_t>(row.waiting->where)));
        json.member("active", row.waiting->active);
        json.end_object();
    }
    if (row.replaces.value != 0) {
        json.member("replaces", id_text(row.replaces));
    }
}

}  // namespace

void append_message_row(JsonWriter& json, const ports::MessageRow& row) {
    json.begin_object();
    append_row_members(json, row);
    json.end_object();
}

void append_message(JsonWriter& json, const ports::MessageDetail& message,
                    const ErrorTable& errors) {
    json.begin_object();
    append_row_members(json, message.message);
    member_or_null(json, "group", message.message.group);
    json.member("expires_at", time_text(message.message.expires_at));
    append_due(json, message.message);
    append_body(json, message.message.body);
    append_list(json, "history", message.history, [&](JsonWriter& to, const Event& event) {
        append_history_entry(to, event, errors);
    });
    append_list(json, "attempts", message.attempts,
                [&](JsonWriter& to, const ports::AttemptRow& attempt) {
                    append_attempt(to, attempt, errors);
                });
    append_list(json, "segment_states", message.segments, append_segment);
    json.end_object();
}

void append_inbox_row(JsonWriter& json, const ports::InboxRow& row) {
    json.begin_object();
    append_inbox_members(json, row);
    json.end_object();
}

void append_event(JsonWriter& json, const Event& event, const ports::InboxRow* inbox,
                  const ErrorTable& errors) {
    json.begin_object();
    json.member("type", event_name(event));
    json.member("at", time_text(event.at));
    switch (event.type) {
        case EventType::message_state:
            json.member("id", id_text(event.message));
            json.member("state", message_state_name(event.state));
            json.member("segment", shown_index(event.segment));
            if (event.attempt > 0) {
                json.member("attempt", event.attempt);
            }
            if (!event.modem.empty()) {
                json.member("modem", event.modem);
            }
            append_cause(json, errors, {.cause = event.cause, .detail = event.detail});
            break;
        case EventType::message_received:
            if (inbox != nullptr) {
                append_inbox_members(json, *inbox);
            } else {
                json.member("id", id_text(event.inbox));
            }
            break;
        case EventType::modem_state:
            json.member("modem", event.modem);
            json.member("state", event.detail);
            break;
        case EventType::client_state: {
            const std::size_t blank = std::min(event.detail.find(' '), event.detail.size());
            json.member(
                "client",
                std::string_view(event.detail).substr(std::min(blank + 1, event.detail.size())));
            json.member("state", std::string_view(event.detail).substr(0, blank));
            break;
        }
        case EventType::opt_out_stop:
            json.member("result", event.detail == "stop_counted" ? "counted" : "ignored");
            json.member("inbox", id_text(event.inbox));
            json.member("modem", event.modem);
            break;
        case EventType::service_notice:
            json.member("notice", event.detail);
            break;
        case EventType::scaling_decision:
            json.member("decision", event.detail);
            if (!event.modem.empty()) {
                json.member("modem", event.modem);
            }
            break;
    }
    json.end_object();
}

}  // namespace smsrack::api
