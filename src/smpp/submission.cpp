#include "src/smpp/submission.hpp"

#include "src/base/hex.hpp"
#include "src/base/time_text.hpp"
#include "src/base/utf8.hpp"
#include "src/pdu/udh.hpp"
#include "src/smpp/times.hpp"
#include "src/wire/json_writer.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace smsrack::smpp {
namespace {

constexpr std::uint8_t has_header = 0x40;  // of esm_class
constexpr std::uint8_t ton_international = 1;
constexpr std::uint8_t ton_national = 2;
constexpr std::uint8_t ton_network = 3;
constexpr std::uint8_t pid_replace_first = 0x41;
constexpr std::uint8_t pid_replace_last = 0x47;
constexpr std::uint8_t asks_for_receipt = 0x03;                        // of registered_delivery
constexpr std::chrono::seconds lifetime_max = std::chrono::weeks(63);  // of TP-VP

using Expected = std::expected<void, Status>;

std::uint16_t two_of(pdu::Octets octets) {
    return static_cast<std::uint16_t>(octets[0] << 8U | octets[1]);
}

/// The place of a part; the key is text, and at most 64 octets, whatever the source has.
PartPlace place_of(std::string_view reference, const Address& source, unsigned of, unsigned part) {
    constexpr std::size_t source_max = address_max;  // only a data_sm can have a longer one
    return {.key = fmt::format("{} {}", reference,
                               hex_of(std::string_view(source.text).substr(0, source_max))),
            .of = static_cast<std::uint8_t>(of),
            .part = static_cast<std::uint8_t>(part)};
}

/// Of esm_class 0x40: the elements go to their places, and what is left are the octets of the content.
std::expected<std::string_view, Status> take_header(std::string_view octets, const Address& source,
                                                    Content& content) {
    const std::size_t length = octets.empty() ? 0 : static_cast<unsigned char>(octets.front());
    if (octets.size() < 1 + length) {
        return std::unexpected(Status::submit_failed);
    }
    pdu::Octets rest = pdu::octets_of(octets.substr(1, length));
    if (pdu::read_udh(rest).malformed) {
        return std::unexpected(Status::submit_failed);
    }
    const auto place = [&](unsigned reference, std::uint8_t of, std::uint8_t part) {
        content.place = place_of(fmt::format("{:x}", reference), source, of, part);
    };
    while (!rest.empty()) {
        const pdu::Octets begin = rest;
        const pdu::UdhElement element = pdu::next_element(rest);
        if (element.iei == pdu::iei::concat8 && element.data.size() == 3) {
            place(element.data[0], element.data[1], element.data[2]);
        } else if (element.iei == pdu::iei::concat16 && element.data.size() == 4) {
            place(0x1'0000U | two_of(element.data), element.data[2], element.data[3]);
        } else if (element.iei == pdu::iei::ports16 && element.data.size() == 4) {
            content.ports = {.destination = two_of(element.data),
                             .source = two_of(element.data.subspan(2))};
        } else {
            for (const std::uint8_t octet : begin.first(begin.size() - rest.size())) {
                content.elements += static_cast<char>(octet);
            }
        }
    }
    return octets.substr(1 + length);
}

void take_sar(const Message& message, Content& content) {
    const Tlv* const reference = find(message.tlvs, Tag::sar_msg_ref_num);
    const Tlv* const total = find(message.tlvs, Tag::sar_total_segments);
    const Tlv* const number = find(message.tlvs, Tag::sar_segment_seqnum);
    if (reference != nullptr && total != nullptr && number != nullptr) {
        content.place = place_of(fmt::format("s{:x}", reference->number()), message.source,
                                 total->number(), number->number());
    }
}

void take_ports(const Message& message, Content& content) {
    const Tlv* const destination = find(message.tlvs, Tag::destination_port);
    const Tlv* const source = find(message.tlvs, Tag::source_port);
    if (destination != nullptr) {
        content.ports = {
            .destination = static_cast<std::uint16_t>(destination->number()),
            .source = static_cast<std::uint16_t>(source == nullptr ? 0 : source->number())};
    }
}

/// 3GPP TS 23.038 4: the groups 00x1 and 1111 have a class.
std::optional<std::uint8_t> class_of(std::uint8_t data_coding) {
    const std::uint8_t group = data_coding & 0xF0U;
    return group == 0x10 || group == 0xF0 ? std::optional<std::uint8_t>(data_coding & 0x03U)
                                          : std::nullopt;
}

/// A place that can't be is none: 1 <= part <= of.
void check_place(Content& content) {
    if (content.place && (content.place->of < 2 || content.place->part < 1 ||
                          content.place->part > content.place->of)) {
        content.place.reset();
    }
}

std::expected<Content, Status> content_of(const Message& message, const Account& account) {
    const Tlv* const payload = find(message.tlvs, Tag::message_payload);
    if (payload != nullptr && !message.short_message.empty()) {
        return std::unexpected(Status::invalid_message_length);
    }
    std::string_view octets = payload != nullptr ? payload->octets : message.short_message;
    Content content{.message_class = class_of(message.data_coding)};
    take_ports(message, content);
    take_sar(message, content);
    if ((message.esm_class & has_header) != 0) {
        const auto rest = take_header(octets, message.source, content);
        if (!rest) {
            return std::unexpected(rest.error());
        }
        octets = *rest;
    }
    check_place(content);
    const Coding coding = coding_of(message.data_coding, account.dcs0, account.dcs1);
    content.is_text = coding != Coding::octets;
    if (!content.is_text) {
        content.octets = octets;
        return content;
    }
    auto text = text_of(octets, coding);
    if (!text) {
        return std::unexpected(Status::submit_failed);
    }
    content.octets = *std::move(text);
    return content;
}

Expected read_times(const Message& message, WallTime now, Submission& submission) {
    WallTime begin = now;
    if (!message.schedule_delivery_time.empty()) {
        const auto at = time_of(message.schedule_delivery_time, now);
        if (!at) {
            return std::unexpected(Status::invalid_schedule);
        }
        if (*at > now) {
            submission.not_before = *at;
            begin = *at;
        }
    }
    if (!message.validity_period.empty()) {
        const auto end = time_of(message.validity_period, now);
        // A relative one counts from now, so that of a message for later may be over before it begins.
        if (!end || *end <= begin) {
            return std::unexpected(Status::invalid_expiry);
        }
        submission.lifetime =
            std::min(std::chrono::ceil<std::chrono::seconds>(*end - begin), lifetime_max);
    }
    return {};
}

std::string front_of(std::string_view text) {
    std::size_t length = 0;
    for (std::size_t i = 0; i < shown_characters && length < text.size(); ++i) {
        length += next_character(text.substr(length)).octets;
    }
    std::string front(text.substr(0, length));
    // A receipt is a line of text.
    std::ranges::replace_if(
        front, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
    return front;
}

Note note_of_message(const Message& message, const Content& content, WallTime now) {
    Note note{.registered_delivery = message.registered_delivery,
              .service_type = message.service_type,
              .source = message.source,
              .destination = message.destination,
              .submitted = now};
    if (const Tlv* const reference = find(message.tlvs, Tag::user_message_reference)) {
        note.reference = static_cast<std::uint16_t>(reference->number());
    }
    if (content.is_text) {
        note.text = front_of(content.octets);
    }
    return note;
}

bool asks_for_report(const Submission& submission) {
    return (submission.note.registered_delivery & asks_for_receipt) != 0;
}

void append_content(wire::JsonWriter& json, const Content& content) {
    if (content.is_text) {
        json.member("text", content.octets);
    } else {
        json.member("data", hex_of(content.octets));
    }
}

void append_shared(wire::JsonWriter& json, const Submission& submission) {
    append_content(json, submission.content);
    if (submission.lifetime) {
        json.member("ttl_s", submission.lifetime->count());
    }
    if (submission.not_before) {
        json.member("not_before", time_text(*submission.not_before));
    }
    json.member("note", text_of_note(submission.note));
}

}  // namespace

std::expected<std::string, Status> number_of(const Address& destination) {
    constexpr std::size_t short_code_max = 6;
    const std::string& text = destination.text;
    const std::string_view digits = std::string_view(text).substr(text.starts_with('+') ? 1 : 0);
    const bool are_digits =
        !digits.empty() && std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
    if (!are_digits) {
        return std::unexpected(Status::invalid_destination);
    }
    switch (destination.ton) {
        case ton_international:
            return text.starts_with('+') ? text : '+' + text;
        case 0:
            return text.starts_with("00") && digits.size() > short_code_max ? '+' + text.substr(2)
                                                                            : text;
        case ton_national:
            return text;
        case ton_network:
            if (text.size() <= short_code_max) {
                return text;
            }
            break;
        default:
            break;
    }
    return std::unexpected(Status::invalid_destination);
}

std::expected<Submission, Status> submission_of(const Message& message, const Account& account,
                                                WallTime now) {
    Submission submission{.group = account.group, .from_else_any = !account.own_source};
    if (auto from = number_of(message.source)) {
        submission.from = *std::move(from);
    } else if (account.own_source) {
        return std::unexpected(Status::invalid_source);
    }
    auto to = number_of(message.destination);
    if (!to) {
        return std::unexpected(to.error());
    }
    submission.to = *std::move(to);
    auto content = content_of(message, account);
    if (!content) {
        return std::unexpected(content.error());
    }
    submission.content = *std::move(content);
    if (const auto times = read_times(message, now, submission); !times) {
        return std::unexpected(times.error());
    }
    submission.level =
        account.levels.at(std::min<std::size_t>(message.priority_flag, account.levels.size() - 1));
    if (message.protocol_id >= pid_replace_first && message.protocol_id <= pid_replace_last) {
        submission.pid = message.protocol_id;
    }
    submission.note = note_of_message(message, submission.content, now);
    return submission;
}

Message as_message(const Data& data) {
    return {.service_type = data.service_type,
            .source = data.source,
            .destination = data.destination,
            .esm_class = data.esm_class,
            .registered_delivery = data.registered_delivery,
            .data_coding = data.data_coding,
            .tlvs = data.tlvs};
}

Message as_message(const SubmitMulti& multi, const MultiDestination& destination) {
    return {.service_type = multi.service_type,
            .source = multi.source,
            .destination = destination.address,
            .esm_class = multi.esm_class,
            .protocol_id = multi.protocol_id,
            .priority_flag = multi.priority_flag,
            .schedule_delivery_time = multi.schedule_delivery_time,
            .validity_period = multi.validity_period,
            .registered_delivery = multi.registered_delivery,
            .replace_if_present_flag = multi.replace_if_present_flag,
            .data_coding = multi.data_coding,
            .sm_default_msg_id = multi.sm_default_msg_id,
            .short_message = multi.short_message,
            .tlvs = multi.tlvs};
}

std::string line_of(const Submission& submission, std::string_view ref) {
    std::string out;
    wire::JsonWriter json(out);
    const Content& content = submission.content;
    json.object([&] {
        json.member("to", submission.to);
        append_shared(json, submission);
        json.member("ref", ref);
        json.member("priority", submission.level);
        json.member("report", asks_for_report(submission));
        if (!submission.group.empty()) {
            json.member("group", submission.group);
        }
        if (!submission.from.empty()) {
            json.member("from", submission.from);
            json.member("from_else_any", submission.from_else_any);
        }
        if (content.place) {
            json.object("concat", [&] {
                json.member("key", content.place->key);
                json.member("of", content.place->of);
                json.member("part", content.place->part);
            });
        }
        if (content.ports) {
            json.object("ports", [&] {
                json.member("dst", content.ports->destination);
                json.member("src", content.ports->source);
            });
        }
        if (!content.elements.empty()) {
            json.member("udh", hex_of(content.elements));
        }
        if (content.message_class) {
            json.member("class", *content.message_class);
        }
        if (submission.pid) {
            json.member("pid", *submission.pid);
        }
    });
    return out;
}

std::string replacement_of(const Submission& submission) {
    std::string out;
    wire::JsonWriter json(out);
    json.object([&] {
        append_shared(json, submission);
        json.member("report", asks_for_report(submission));
    });
    return out;
}

}  // namespace smsrack::smpp
