#include "src/smpp/receipt.hpp"

#include "src/smpp/short_text.hpp"
#include "src/smpp/times.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>

namespace smsrack::smpp {
namespace {

/// message_state and its word in the text of a receipt.
struct Told {
    std::uint8_t state;
    std::string_view word;
};
constexpr Told enroute{1, "ENROUTE"};
constexpr Told delivered{2, "DELIVRD"};
constexpr Told expired{3, "EXPIRED"};
constexpr Told deleted{4, "DELETED"};
constexpr Told undeliverable{5, "UNDELIV"};
constexpr Told accepted{6, "ACCEPTD"};
constexpr Told unknown{7, "UNKNOWN"};
constexpr Told rejected{8, "REJECTD"};

constexpr std::uint8_t receipt_class = 0x04;       // of esm_class
constexpr std::uint8_t notification_class = 0x20;  // likewise
constexpr std::uint8_t receipt_bits = 0x03;        // of registered_delivery
constexpr std::uint8_t on_any_end = 1;
constexpr std::uint8_t on_failure = 2;
constexpr std::uint8_t notification_bit = 0x10;

constexpr std::string_view no_report = "no_report";
constexpr std::string_view outcome_unknown = "outcome_unknown";

Told told_of(const MessageChange& change, const Account& account) {
    switch (change.state) {
        case MessageState::delivered:
            return delivered;
        case MessageState::undelivered:
            return undeliverable;
        case MessageState::failed:
            return change.code == outcome_unknown ? unknown : rejected;
        case MessageState::expired:
            return expired;
        case MessageState::cancelled:
            return deleted;
        case MessageState::sent:
            return account.unreported_unknown ? unknown : accepted;
        case MessageState::scheduled:
        case MessageState::queued:
        case MessageState::sending:
        case MessageState::uncertain:
        case MessageState::elsewhere:
            break;
    }
    return enroute;
}

/// Of "tp_status_65" and "cms_42"; 0: another.
unsigned number_of_code(std::string_view code) {
    unsigned number = 0;
    for (const std::string_view front : {"tp_status_", "cms_", "cme_"}) {
        if (code.starts_with(front)) {
            code.remove_prefix(front.size());
            std::from_chars(code.data(), code.data() + code.size(), number);
        }
    }
    return number;
}

bool is_end(const MessageChange& change) {
    switch (change.state) {
        case MessageState::delivered:
        case MessageState::undelivered:
        case MessageState::failed:
        case MessageState::expired:
        case MessageState::cancelled:
            return true;
        case MessageState::sent:
            return change.code == no_report;
        case MessageState::scheduled:
        case MessageState::queued:
        case MessageState::sending:
        case MessageState::uncertain:
        case MessageState::elsewhere:
            break;
    }
    return false;
}

/// Network type 3 is GSM; the error is that of the report or of the modem (5.3.2.31).
Tlv network_error(unsigned number) {
    constexpr char gsm = 3;
    return {.tag = Tag::network_error_code,
            .octets = {gsm, static_cast<char>(number >> 8U & 0xFFU),
                       static_cast<char>(number & 0xFFU)}};
}

}  // namespace

std::optional<Message> receipt_of(const MessageChange& change, const Note& note,
                                  const Account& account) {
    const bool final = is_end(change);
    const bool good = change.state == MessageState::delivered || change.state == MessageState::sent;
    const std::uint8_t asked = note.registered_delivery & receipt_bits;
    const bool wanted = final ? asked == on_any_end || (asked == on_failure && !good)
                              : change.state == MessageState::sent &&
                                    (note.registered_delivery & notification_bit) != 0;
    if (!wanted) {
        return std::nullopt;
    }
    const Told told = final ? told_of(change, account) : enroute;
    const unsigned error = number_of_code(change.code);
    const std::string text =
        fmt::format("id:{} sub:001 dlvrd:{} submit date:{} done date:{} stat:{} err:{:03} text:{}",
                    change.id, final && good ? "001" : "000", receipt_time(note.submitted),
                    receipt_time(change.at), told.word, error % 1000, note.text);
    Message receipt{
        .service_type = note.service_type,
        .source = note.destination,
        .destination = note.source,
        .esm_class = final ? receipt_class : notification_class,
        .short_message = default_octets(text, account.dcs0).substr(0, short_message_max)};
    receipt.tlvs = {text_tlv(Tag::receipted_message_id, change.id),
                    integer_tlv(Tag::message_state, told.state), network_error(error)};
    if (note.reference) {
        receipt.tlvs.push_back(integer_tlv(Tag::user_message_reference, *note.reference));
    }
    return receipt;
}

QueryAnswer query_answer(const MessageChange& change, bool is_over, const Account& account) {
    const bool final = is_over || is_end(change);
    const Told told = final ? told_of(change, account) : enroute;
    return {.message_id = change.id,
            .final_date = final ? absolute_time(change.at) : std::string(),
            .message_state = told.state,
            .error_code =
                static_cast<std::uint8_t>(std::min<unsigned>(number_of_code(change.code), 0xFF))};
}

}  // namespace smsrack::smpp
