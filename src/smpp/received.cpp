#include "src/smpp/received.hpp"

#include "src/pdu/udh.hpp"
#include "src/smpp/short_text.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace smsrack::smpp {
namespace {

constexpr std::uint8_t ton_international = 1;
constexpr std::uint8_t ton_letters = 5;
constexpr std::uint8_t npi_telephone = 1;
constexpr std::uint8_t coding_octets = 4;
constexpr std::uint8_t coding_utf16 = 8;
constexpr std::uint8_t has_header = 0x40;  // of esm_class

Message empty_message(const ReceivedMessage& received) {
    return {.source = address_of(received.from), .destination = address_of(received.to)};
}

/// A class says that the alphabet is one of GSM, whatever data_coding 0 means.
Coding alphabet_of(const ReceivedMessage& received, Coding by_default) {
    return received.message_class ? Coding::gsm7 : by_default;
}

ShortText content_of(const ReceivedMessage& received, Coding by_default) {
    return received.is_text ? short_text(received.octets, by_default)
                            : ShortText{.data_coding = coding_octets, .octets = received.octets};
}

std::uint8_t with_class(std::uint8_t data_coding, std::optional<std::uint8_t> message_class) {
    constexpr unsigned has_class = 0x10;
    return message_class ? static_cast<std::uint8_t>(data_coding | has_class | *message_class)
                         : data_coding;
}

void put16(std::string& out, std::uint16_t value) {
    out += static_cast<char>(value >> 8U);
    out += static_cast<char>(value & 0xFFU);
}

/// Its element of a header; empty: it has none.
std::string ports_element(const ReceivedMessage& received) {
    std::string element;
    if (received.ports) {
        element = {static_cast<char>(pdu::iei::ports16), 4};
        put16(element, received.ports->destination);
        put16(element, received.ports->source);
    }
    return element;
}

/// Most septets or octets in one SMS behind a header of `header` octets.
std::size_t room_of_sms(std::size_t header, bool has_septets) {
    constexpr std::size_t octets = 140;
    return has_septets ? (octets - header) * 8 / 7 : octets - header;
}

/// Octets of one piece, at most `most`: no character is cut in two.
std::size_t piece_size(std::string_view rest, std::size_t most, std::uint8_t data_coding,
                       Coding by_default) {
    constexpr char escape = 0x1B;
    if (rest.size() <= most) {
        return rest.size();
    }
    const bool cuts_escape =
        data_coding == 0 && by_default == Coding::gsm7 && rest[most - 1] == escape;
    std::size_t cut_octets = 0;  // of a character in UTF-8
    while (data_coding == 0 && by_default == Coding::utf8 &&
           (static_cast<unsigned char>(rest[most - cut_octets]) & 0xC0U) == 0x80) {
        ++cut_octets;
    }
    const bool cuts_pair =
        data_coding == coding_utf16 && (static_cast<unsigned char>(rest[most]) & 0xFCU) == 0xDC;
    return most - (cuts_escape ? 1 : 0) - (cuts_pair ? 2 : 0) - cut_octets;
}

std::vector<std::string_view> pieces_of(const ShortText& content, std::size_t most,
                                        Coding by_default) {
    std::vector<std::string_view> pieces;
    std::string_view rest = content.octets;
    do {
        pieces.push_back(rest.substr(0, piece_size(rest, most, content.data_coding, by_default)));
        rest.remove_prefix(pieces.back().size());
    } while (!rest.empty());
    return pieces;
}

}  // namespace

Address address_of(std::string_view number) {
    constexpr std::size_t text_max = address_max - 1;
    const bool international = number.starts_with('+');
    number.remove_prefix(international ? 1 : 0);
    const bool are_digits =
        std::ranges::all_of(number, [](char c) { return c >= '0' && c <= '9'; });
    if (number.empty()) {
        return {};
    }
    if (!are_digits) {
        return {.ton = ton_letters, .text = ascii_octets(number).substr(0, text_max)};
    }
    return {.ton = international ? ton_international : std::uint8_t{0},
            .npi = npi_telephone,
            .text = std::string(number.substr(0, text_max))};
}

std::vector<Message> whole(const ReceivedMessage& received, Coding by_default) {
    const Coding alphabet = alphabet_of(received, by_default);
    const ShortText content = content_of(received, alphabet);
    std::vector<Message> all;
    for (const std::string_view piece : pieces_of(content, payload_max, alphabet)) {
        Message message = empty_message(received);
        message.data_coding = with_class(content.data_coding, received.message_class);
        if (received.ports) {
            message.tlvs = {integer_tlv(Tag::source_port, received.ports->source),
                            integer_tlv(Tag::destination_port, received.ports->destination)};
        }
        if (piece.size() > short_message_max) {
            message.tlvs.push_back({.tag = Tag::message_payload, .octets = std::string(piece)});
        } else {
            message.short_message = piece;
        }
        all.push_back(std::move(message));
    }
    return all;
}

std::vector<Message> parts_of(const ReceivedMessage& received, std::uint8_t reference,
                              Coding by_default) {
    constexpr std::size_t concat_octets = 5;
    const Coding alphabet = alphabet_of(received, by_default);
    const ShortText content = content_of(received, alphabet);
    const bool has_septets = content.data_coding == 0;
    const std::string ports = ports_element(received);
    const std::size_t alone = ports.empty() ? 0 : 1 + ports.size();
    const bool is_one = content.octets.size() <= room_of_sms(alone, has_septets);
    if (is_one && ports.empty()) {
        return whole(received, by_default);
    }
    const auto pieces = pieces_of(
        content, room_of_sms(is_one ? alone : 1 + concat_octets + ports.size(), has_septets),
        alphabet);
    std::vector<Message> parts;
    for (const std::string_view piece : pieces) {
        const std::size_t index = parts.size() % parts_max;
        const std::size_t first = parts.size() - index;
        Message part = empty_message(received);
        part.esm_class = has_header;
        part.data_coding = with_class(content.data_coding, received.message_class);
        part.short_message = static_cast<char>((is_one ? 0 : concat_octets) + ports.size());
        if (!is_one) {
            part.short_message += {static_cast<char>(pdu::iei::concat8), 3,
                                   static_cast<char>(reference + first / parts_max),
                                   static_cast<char>(std::min(parts_max, pieces.size() - first)),
                                   static_cast<char>(index + 1)};
        }
        part.short_message += ports;
        part.short_message += piece;
        parts.push_back(std::move(part));
    }
    return parts;
}

}  // namespace smsrack::smpp
