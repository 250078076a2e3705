#include "firmware-host/gate/smpp/known_message.hpp"

#include "firmware-host/gate/json_text.hpp"
#include "src/base/time_text.hpp"
#include "src/sms/message_states.hpp"
#include "src/wire/json.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace smsrack::gate {
namespace {

int level_of(const wire::Json& json) {
    const auto level = json.find("priority");
    return level != json.end() && level->is_number_integer() ? level->get<int>() : 0;
}

bool is_plain(const wire::Json& json) {
    constexpr std::array members{"class", "pid", "ports", "udh", "concat"};
    return std::ranges::none_of(members, [&](const char* member) { return json.contains(member); });
}

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
        .note = *std::move(note),
        .level = level_of(json),
        .is_plain = is_plain(json)};
}

}  // namespace

std::optional<KnownMessage> known_message_of(const ServiceCall::Reply& reply) {
    const auto json = reply.status == 200 ? wire::parse_json(reply.body) : Result<wire::Json>();
    return json ? known_of(*json) : std::nullopt;
}

std::optional<KnownPage> known_page_of(const ServiceCall::Reply& reply) {
    constexpr int not_found = 404;
    if (reply.status == not_found) {
        return KnownPage{};
    }
    const auto json = reply.status == 200 ? wire::parse_json(reply.body) : Result<wire::Json>();
    if (!json || !json->is_object() || !json->contains("messages") ||
        !json->at("messages").is_array()) {
        return std::nullopt;
    }
    KnownPage page{.next = text_at(*json, "next")};
    for (const wire::Json& row : json->at("messages")) {
        if (auto known = known_of(row)) {
            page.messages.push_back(*std::move(known));
        }
    }
    return page;
}

}  // namespace smsrack::gate
