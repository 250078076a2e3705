#include "src/api/message_json.hpp"

#include "src/api/text.hpp"
#include "src/base/time_text.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace smsrack::api {
namespace {

using wire::JsonWriter;

/// People count segments from 1.
constexpr int shown_index(std::uint8_t index) {
    return index + 1;
}

void append_ports(JsonWriter& json, const PortAddress& ports) {
    json.object("ports", [&] {
        json.member("dst", ports.dst);
        json.member("src", ports.src);
        json.member("bits", 16);
    });
}

void append_text(JsonWriter& json, const MessageBody& body) {
    if (body.is_data) {
        json.member("data", hex_text(body.data));
    } else {
        json.member("text", body.text);
    }
}

void append_body(JsonWriter& json, const MessageBody& body) {
    append_text(json, body);
    json.member("report", body.report);
    if (body.message_class) {
        json.member("class", *body.message_class);
    }
    if (body.ports) {
        append_ports(json, *body.ports);
    }
}

/// How the client has cut the message, and what it has in its header.
void append_header(JsonWriter& json, const MessageBody& body) {
    if (body.part) {
        json.object("concat", [&] {
            json.member("of", body.part->total);
            json.member("part", body.part->number);
        });
    }
    if (body.pid != 0) {
        json.member("pid", body.pid);
    }
    if (!body.elements.empty()) {
        json.member("udh", hex_text(body.elements));
    }
}

void append_note(JsonWriter& json, std::string_view note) {
    if (!note.empty()) {
        json.member("note", note);
    }
}

/// Written only where it is true.
void append_flag(JsonWriter& json, std::string_view name, bool flag) {
    if (flag) {
        json.member(name, true);
    }
}

/// What due_at means depends on the state.
void append_due(JsonWriter& json, const ports::MessageRow& row) {
    if (!row.due_at || *row.due_at >= ports::no_end_yet) {
        return;
    }
    member_or_null(json,
                   row.state == MessageState::scheduled   ? "not_before"
                   : row.state == MessageState::uncertain ? "uncertain_until"
                                                          : "next_attempt_at",
                   row.due_at);
}

/// What an event says of its message.
void append_move(JsonWriter& json, const Event& event, const ErrorTable& errors) {
    json.member("state", message_state_name(event.state));
    append_flag(json, "again", event.again);
    json.member("segment", shown_index(event.segment));
    if (event.attempt > 0) {
        json.member("attempt", event.attempt);
    }
    if (!event.modem.empty()) {
        json.member("modem", event.modem);
    }
    append_cause(json, errors, {.cause = event.cause, .detail = event.detail});
}

constexpr std::array<std::string_view, 5> outcome_names{"open", "accepted", "refused", "not_sent",
                                                        "unknown"};

void append_attempt(JsonWriter& json, const ports::AttemptRow& attempt, const ErrorTable& errors) {
    json.member("at", time_text(attempt.started_at));
    member_or_null(json, "ended_at", attempt.ended_at);
    json.member("segment", shown_index(attempt.segment));
    json.member("attempt", attempt.number);
    json.member("modem", attempt.modem);
    json.member("outcome", outcome_names.at(static_cast<std::size_t>(attempt.outcome.kind)));
    if (attempt.outcome.has_tp_mr) {
        json.member("tp_mr", attempt.outcome.tp_mr);
    }
    append_cause(json, errors,
                 {.cause = attempt.outcome.cause,
                  .pdu_sent = attempt.outcome.kind != OutcomeKind::not_sent});
}

void append_segment(JsonWriter& json, const ports::SegmentRow& segment) {
    json.member("segment", shown_index(segment.index));
    json.member("state", message_state_name(segment.state));
    json.member("tp_mr", segment.tp_mr);
    json.member("tp_status", segment.tp_status);
    member_or_null(json, "reported_at", segment.reported_at);
    member_or_null(json, "discharged_at", segment.discharge);
}

void append_shown_row(JsonWriter& json, const ports::InboxRow& row, Shown shown) {
    json.member("id", id_text(row.id));
    if (shown.numbers) {
        json.member("from", row.from);
        member_or_null(json, "to", row.to);
    }
    const bool is_data = row.content.is_data || row.undecodable;
    if (shown.texts && is_data) {
        json.member_null("text");
        json.member("data", hex_text(row.content.data));
    } else if (shown.texts) {
        json.member("text", row.content.text);
    }
    json.member("modem", row.modem);
    member_or_null(json, "reply_to", row.reply_to);
    member_or_null(json, "scts", row.scts_text);
    json.member("received_at", time_text(row.received_at));
    json.member("segments", row.segments);
    append_flag(json, "incomplete", row.incomplete);
    append_flag(json, "undecodable", row.undecodable);
    append_flag(json, "maybe_repeat", row.maybe_repeat);
    if (row.message_class) {
        json.member("class", *row.message_class);
    }
    if (row.ports) {
        append_ports(json, *row.ports);
    }
    if (row.waiting) {
        json.object("waiting", [&] {
            json.member("where",
                        waiting_where_names.at(static_cast<std::size_t>(row.waiting->where)));
            json.member("active", row.waiting->active);
        });
    }
    if (row.replaces.value != 0) {
        json.member("replaces", id_text(row.replaces));
    }
}

/// Where the boxes that share it have it.
void append_standing(JsonWriter& json, const ports::MessageDetail& message) {
    if (!message.fleet) {
        return;
    }
    const ports::FleetStanding& fleet = *message.fleet;
    json.member("kept", kept_names.at(static_cast<std::size_t>(fleet.kept)));
    json.member("stage", fleet_stage_names.at(static_cast<std::size_t>(fleet.stage)));
    json.member("epoch", fleet.epoch.value);
    member_or_null(json, "box", fleet.box_name);
}

}  // namespace

void append_message_row(JsonWriter& json, const ports::MessageRow& row) {
    json.member("id", id_text(shown_id(row)));
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

void append_message(JsonWriter& json, const ports::MessageDetail& message,
                    const ErrorTable& errors) {
    append_message_row(json, message.message);
    member_or_null(json, "group", message.message.group);
    append_standing(json, message);
    json.member("expires_at", time_text(message.message.expires_at));
    append_due(json, message.message);
    append_body(json, message.message.body);
    append_header(json, message.message.body);
    append_note(json, message.message.note);
    json.objects("history", message.history, [&](const Event& event) {
        json.member("at", time_text(event.at));
        append_move(json, event, errors);
    });
    json.objects("attempts", message.attempts,
                 [&](const ports::AttemptRow& attempt) { append_attempt(json, attempt, errors); });
    json.objects("segment_states", message.segments,
                 [&](const ports::SegmentRow& segment) { append_segment(json, segment); });
}

void append_inbox_row(JsonWriter& json, const ports::InboxRow& row) {
    append_shown_row(json, row, {});
}

void append_event(JsonWriter& json, const Event& event, const ports::InboxRow* inbox,
                  const ErrorTable& errors) {
    json.object([&] { append_event_members(json, event, inbox, errors); });
}

void append_event_members(JsonWriter& json, const Event& event, const ports::InboxRow* inbox,
                          const ErrorTable& errors, Shown shown) {
    json.member("type", event_name(event));
    json.member("at", time_text(event.at));
    switch (event.type) {
        case EventType::message_state:
            json.member("id", id_text(shown_message(event)));
            if (shown.numbers) {
                member_or_null(json, "to", event.to);
            }
            append_move(json, event, errors);
            if (shown.texts) {
                append_note(json, event.note);
            }
            break;
        case EventType::message_received:
            if (inbox != nullptr) {
                append_shown_row(json, *inbox, shown);
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
        case EventType::webhook_dead: {
            const std::size_t blank = std::min(event.detail.find(' '), event.detail.size());
            json.member("webhook", std::string_view(event.detail).substr(0, blank));
            json.member(
                "event",
                std::string_view(event.detail).substr(std::min(blank + 1, event.detail.size())));
            break;
        }
        case EventType::message_kept:
            json.member("id", id_text(shown_message(event)));
            json.member("kept", event.detail);
            break;
        case EventType::cluster_notice: {
            const std::size_t blank = std::min(event.detail.find(' '), event.detail.size());
            json.member(
                "notice",
                std::string_view(event.detail).substr(std::min(blank + 1, event.detail.size())));
            if (event.message != MessageId{}) {
                json.member("id", id_text(shown_message(event)));
            }
            break;
        }
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
}

void append_message_of_event(JsonWriter& json, const Event& event, const ports::MessageRow& row,
                             Shown shown) {
    if (event.modem.empty()) {
        member_or_null(json, "modem", row.modem);
    }
    json.member("priority", row.level);
    json.member("segments", row.segments);
    json.member("created_at", time_text(row.created_at));
    json.member("updated_at", time_text(row.updated_at));
    json.member("partial", row.partial);
    member_or_null(json, "ref", row.ref);
    member_or_null(json, "batch", row.batch);
    member_or_null(json, "client", row.client);
    member_or_null(json, "group", row.group);
    json.member("expires_at", time_text(row.expires_at));
    if (shown.texts) {
        append_text(json, row.body);
    }
    json.member("report", row.body.report);
    if (row.body.message_class) {
        json.member("message_class", *row.body.message_class);  // `class` is that of a cause
    }
    if (row.body.ports) {
        append_ports(json, *row.body.ports);
    }
}

}  // namespace smsrack::api
