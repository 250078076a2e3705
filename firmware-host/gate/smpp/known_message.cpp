#include "firmware-host/gate/smpp/known_message.hpp"

#include "firmware-host/gate/json_text.hpp"
#include "src/base/time_text.hpp"
#include "src/sms/message_states.hpp"
#include "src/wire/json.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::gate {
namespace {

std::optional<KnownMessage> known_of(const wire::Json& json) {
    auto note = json.is_object() ? smpp::note_of(text_at(json, "note")) : std::nullopt;
    if (!note) {
        return std::nullopt;
    }
    const std::string state = text_at(json, "state");
    const auto* const name = std::ranges::find(message_state_names, state);
    const auto at = time_of(text_at(json, "updated_at"));
    if (name == message_state_names.end() || !at) {
        return std::nullopt;
    }
    return KnownMessage{
        .change = {.id = text_at(json, "id"),
                   .state = static_cast<MessageState>(name - message_state_names.begin()),
                   .code = text_at(json, "code"),
                   .at = *at},
        .note = *std::move(note)};
}

}  // namespace

std::optional<KnownMessage> known_message_of(const ServiceCall::Reply& reply) {
    const auto json = reply.status == 200 ? wire::parse_json(reply.body) : Result<wire::Json>();
    return json ? known_of(*json) : std::nullopt;
}

std::optional<std::vector<KnownMessage>> known_messages_of(const ServiceCall::Reply& reply) {
    const auto json = reply.status == 200 ? wire::parse_json(reply.body) : Result<wire::Json>();
    const auto rows =
        json && json->is_object() ? json->find("messages") : wire::Json::const_iterator();
    if (!json || !json->is_object() || rows == json->end() || !rows->is_array()) {
        return std::nullopt;
    }
    std::vector<KnownMessage> all;
    for (const wire::Json& row : *rows) {
        if (auto known = known_of(row)) {
            all.push_back(*std::move(known));
        }
    }
    return all;
}

}  // namespace smsrack::gate
