#include "src/api/calls.hpp"
#include "src/api/message_json.hpp"
#include "src/api/page.hpp"
#include "src/api/query.hpp"
#include "src/base/time_text.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

namespace smsrack::api {
namespace {

void append_content(wire::JsonWriter& json, bool is_data, const std::string& text,
                    const std::string& data) {
    json.member(is_data ? "data" : "text", is_data ? hex_text(data) : text);
}

/// A message as the lists have it, with its direction and its content.
void append_said(wire::JsonWriter& json, const ports::Said& said) {
    if (const auto* const received = std::get_if<ports::InboxRow>(&said)) {
        json.member("direction", "received");
        append_inbox_row(json, *received);
        return;
    }
    const auto& sent = std::get<ports::MessageRow>(said);
    json.member("direction", "sent");
    append_message_row(json, sent);
    append_content(json, sent.body.is_data, sent.body.text, sent.body.data);
}

/// What a list of conversations shows of the last message.
void append_last(wire::JsonWriter& json, const ports::Said& said) {
    if (const auto* const received = std::get_if<ports::InboxRow>(&said)) {
        json.member("direction", "received");
        json.member("id", id_text(received->id));
        json.member("at", time_text(received->received_at));
        append_content(json, received->content.is_data, received->content.text,
                       received->content.data);
        return;
    }
    const auto& sent = std::get<ports::MessageRow>(said);
    json.member("direction", "sent");
    json.member("id", id_text(shown_id(sent)));
    json.member("at", time_text(sent.created_at));
    json.member("state", message_state_name(sent.state));
    append_content(json, sent.body.is_data, sent.body.text, sent.body.data);
}

void append_conversation(wire::JsonWriter& json, const ports::Conversation& row) {
    json.member("number", row.number);
    json.member("sent", row.sent);
    json.member("received", row.received);
    json.object("last", [&] { append_last(json, row.last); });
}

std::string cursor_of(const ports::Said& said) {
    return std::to_string(ports::id_of_said(said));
}

Result<ports::ConversationPage> page_of(const Call& call) {
    const auto page = page_params(call.request, {"limit", "cursor"});
    if (!page) {
        return std::unexpected(page.error());
    }
    return ports::ConversationPage{.before = page->after_id,
                                   .limit = std::min(page->limit, full_rows_max)};
}

}  // namespace

void list_conversations(Call call) {
    const auto page = page_of(call);
    if (!page) {
        return answer_problem(call, page.error());
    }
    answer_from_store(
        call,
        [page = *page, bound = call.page_bound](ports::StoreReader& reader) -> Result<std::string> {
            auto found = reader.conversations(page);
            if (!found) {
                return std::unexpected(std::move(found.error()));
            }
            return page_text(
                "conversations", Result<std::vector<ports::Conversation>>(std::move(found->rows)),
                {page.limit, bound}, append_conversation,
                [](const ports::Conversation& row) { return std::to_string(row.cursor); },
                found->next == 0 ? std::string() : std::to_string(found->next));
        });
}

void get_conversation(Call call) {
    const auto page = page_of(call);
    if (!page) {
        return answer_problem(call, page.error());
    }
    // A sender may have a name instead of a number.
    const auto number =
        normalised_number(call.argument, call.settings.plan).value_or(call.argument);
    answer_from_store(
        call,
        [page = *page, bound = call.page_bound,
         number](ports::StoreReader& reader) -> Result<std::string> {
            auto said = reader.said(number, {.before = page.before, .limit = page.limit + 1});
            if (said && said->empty() && page.before == 0) {
                return fail(Errc::not_found, "nothing was sent to this number or received from it");
            }
            return page_text("messages", std::move(said), {page.limit, bound}, append_said,
                             cursor_of);
        });
}

}  // namespace smsrack::api
