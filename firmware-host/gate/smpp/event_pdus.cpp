#include "firmware-host/gate/smpp/event_pdus.hpp"

#include "firmware-host/gate/json_text.hpp"
#include "src/base/hex.hpp"
#include "src/base/time_text.hpp"
#include "src/smpp/note.hpp"
#include "src/smpp/receipt.hpp"
#include "src/smpp/received.hpp"
#include "src/sms/message_states.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace smsrack::gate {
namespace {

std::optional<std::uint64_t> number_at(const wire::Json& json, const char* name) {
    const auto found = json.find(name);
    const bool is_one = found != json.end() && found->is_number_integer() &&
                        (found->is_number_unsigned() || found->get<std::int64_t>() >= 0);
    return is_one ? std::optional(found->get<std::uint64_t>()) : std::nullopt;
}

/// Ports and class of a received message.
void add_header(const wire::Json& event, smpp::ReceivedMessage& received) {
    constexpr std::uint64_t class_max = 3;
    const auto message_class = number_at(event, "class");
    if (message_class && *message_class <= class_max) {
        received.message_class = static_cast<std::uint8_t>(*message_class);
    }
    const auto ports = event.find("ports");
    if (ports == event.end() || !ports->is_object()) {
        return;
    }
    const auto destination = number_at(*ports, "dst");
    const auto source = number_at(*ports, "src");
    if (destination && source) {
        received.ports = smpp::Ports16{.destination = static_cast<std::uint16_t>(*destination),
                                       .source = static_cast<std::uint16_t>(*source)};
    }
}

/// Of a received message; without text or data it was removed since.
std::optional<smpp::ReceivedMessage> received_of(const wire::Json& event) {
    smpp::ReceivedMessage received{.from = text_at(event, "from"), .to = text_at(event, "to")};
    add_header(event, received);
    if (const auto text = event.find("text"); text != event.end() && text->is_string()) {
        received.octets = text->get<std::string>();
        return received;
    }
    std::string hex = text_at(event, "data");
    std::ranges::transform(hex, hex.begin(), [](char c) {
        return c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    auto data = octets_of_hex(hex);
    if (!data || !event.contains("data")) {
        return std::nullopt;
    }
    received.octets = *std::move(data);
    received.is_text = false;
    return received;
}

std::optional<smpp::MessageChange> change_of(const wire::Json& event) {
    const std::string state = text_at(event, "state");
    const auto* const name = std::ranges::find(message_state_names, state);
    const auto at = time_of(text_at(event, "at"));
    if (name == message_state_names.end() || !at) {
        return std::nullopt;
    }
    return smpp::MessageChange{
        .id = text_at(event, "id"),
        .state = static_cast<MessageState>(name - message_state_names.begin()),
        .code = text_at(event, "code"),
        .at = *at};
}

}  // namespace

std::vector<smpp::Message> pdus_of(const wire::Json& event, const smpp::Account& account,
                                   std::uint8_t part_reference) {
    if (text_at(event, "type") == "message.received") {
        const auto received = received_of(event);
        if (!received || account.incoming == smpp::Incoming::none) {
            return {};
        }
        return account.incoming_parts ? smpp::parts_of(*received, part_reference, account.dcs0)
                                      : smpp::whole(*received, account.dcs0);
    }
    // A long message may end worse than it ended first; its receipt was written then.
    const auto again = event.find("again");
    if (again != event.end() && again->is_boolean() && again->get<bool>()) {
        return {};
    }
    const auto note = smpp::note_of(text_at(event, "note"));
    const auto change = change_of(event);
    auto receipt = note && change ? smpp::receipt_of(*change, *note, account) : std::nullopt;
    return receipt ? std::vector{*std::move(receipt)} : std::vector<smpp::Message>();
}

}  // namespace smsrack::gate
