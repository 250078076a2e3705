#include "src/smpp/received.hpp"

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

ShortText content_of(const ReceivedMessage& received, Coding by_default) {
    return received.is_text ? short_text(received.octets, by_default)
                            : ShortText{.data_coding = coding_octets, .octets = received.octets};
}

/// Octets of one part: no character is cut in two.
std::size_t part_size(std::string_view rest, std::uint8_t data_coding, Coding by_default) {
    constexpr std::size_t septets = 153;
    constexpr std::size_t octets = 134;
    constexpr char escape = 0x1B;
    const std::size_t most = data_coding == 0 ? septets : octets;
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

Message whole(const ReceivedMessage& received, Coding by_default) {
    Message message = empty_message(received);
    ShortText content = content_of(received, by_default);
    message.data_coding = content.data_coding;
    if (content.octets.size() > short_message_max) {
        message.tlvs = {{.tag = Tag::message_payload, .octets = std::move(content.octets)}};
    } else {
        message.short_message = std::move(content.octets);
    }
    return message;
}

std::vector<Message> parts_of(const ReceivedMessage& received, std::uint8_t reference,
                              Coding by_default) {
    constexpr std::size_t single_septets = 160;
    constexpr std::size_t single_octets = 140;
    constexpr std::size_t parts_max = 255;
    const ShortText content = content_of(received, by_default);
    if (content.octets.size() <= (content.data_coding == 0 ? single_septets : single_octets)) {
        return {whole(received, by_default)};
    }
    std::vector<std::string_view> pieces;
    for (std::string_view rest = content.octets; !rest.empty() && pieces.size() < parts_max;) {
        pieces.push_back(rest.substr(0, part_size(rest, content.data_coding, by_default)));
        rest.remove_prefix(pieces.back().size());
    }
    std::vector<Message> parts;
    for (const std::string_view piece : pieces) {
        Message part = empty_message(received);
        part.esm_class = has_header;
        part.data_coding = content.data_coding;
        part.short_message = {5,
                              0,
                              3,
                              static_cast<char>(reference),
                              static_cast<char>(pieces.size()),
                              static_cast<char>(parts.size() + 1)};
        part.short_message += piece;
        parts.push_back(std::move(part));
    }
    return parts;
}

}  // namespace smsrack::smpp
