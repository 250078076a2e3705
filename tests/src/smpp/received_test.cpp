#include "src/smpp/received.hpp"

#include "src/smpp/coding.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace smsrack;
using namespace smsrack::smpp;

namespace {

ReceivedMessage received(std::string text) {
    return {.from = "+33612345678", .to = "+33600000001", .octets = std::move(text)};
}

std::string text(const Message& message) {
    const std::size_t header = message.esm_class == 0x40 ? 6 : 0;
    return text_of(message.short_message.substr(header),
                   coding_of(message.data_coding, Coding::gsm7))
        .value_or("invalid");
}

std::string joined(const std::vector<Message>& parts) {
    std::string whole;
    for (const Message& part : parts) {
        whole += text(part);
    }
    return whole;
}

Message whole_one(const ReceivedMessage& of, Coding by_default) {
    auto all = whole(of, by_default);
    REQUIRE(all.size() == 1);
    return std::move(all.front());
}

std::string repeated(std::string_view piece, int times) {
    std::string out;
    for (int i = 0; i < times; ++i) {
        out += piece;
    }
    return out;
}

}  // namespace

TEST_CASE("received messages: a sender is a number, a short code or letters") {
    CHECK(address_of("+33612345678") == Address{.ton = 1, .npi = 1, .text = "33612345678"});
    CHECK(address_of("12345") == Address{.ton = 0, .npi = 1, .text = "12345"});
    CHECK(address_of("Bank") == Address{.ton = 5, .npi = 0, .text = "Bank"});
    CHECK(address_of("") == Address{});
}

TEST_CASE("received messages: the text decides the coding") {
    const Message plain = whole_one(received("a€ é"), Coding::gsm7);
    CHECK(plain.data_coding == 0);
    CHECK(plain.short_message == "a\x1B\x65 \x05");
    CHECK(plain.source.text == "33612345678");
    CHECK(plain.destination.text == "33600000001");
    const Message wide = whole_one(received("漢😀"), Coding::gsm7);
    CHECK(wide.data_coding == 8);
    CHECK(wide.short_message == std::string("\x6F\x22\xD8\x3D\xDE\x00", 6));
    const Message data = whole_one(
        {.from = "1", .octets = std::string("\0\xFF", 2), .is_text = false}, Coding::gsm7);
    CHECK(data.data_coding == 4);
    CHECK(data.short_message == std::string("\0\xFF", 2));
}

TEST_CASE("received messages: data_coding 0 is what the account says") {
    CHECK(whole_one(received("a@b_é"), Coding::latin1).short_message == "a@b_\xE9");
    CHECK(whole_one(received("a€"), Coding::latin1).data_coding == 8);
    CHECK(whole_one(received("a€漢"), Coding::utf8).short_message == "a€漢");
    CHECK(address_of("My_Bank@").text == "My_Bank@");
    CHECK(address_of("É-Shop").text == "?-Shop");
    std::string joined_text;
    for (const Message& part : parts_of(received(repeated("é", 200)), 9, Coding::utf8)) {
        joined_text += part.short_message.substr(6);
    }
    CHECK(joined_text == repeated("é", 200));
}

TEST_CASE("received messages: a long one is whole in its payload") {
    const Message message = whole_one(received(repeated("a", 255)), Coding::gsm7);
    CHECK(message.short_message.empty());
    REQUIRE(find(message.tlvs, Tag::message_payload) != nullptr);
    CHECK(find(message.tlvs, Tag::message_payload)->octets == repeated("a", 255));
    CHECK(whole_one(received(repeated("a", 254)), Coding::gsm7).tlvs.empty());
}

TEST_CASE("received messages: parts have a header, and cut no character") {
    CHECK(parts_of(received(repeated("a", 160)), 9, Coding::gsm7).size() == 1);
    const auto plain = parts_of(received(repeated("a", 161)), 9, Coding::gsm7);
    REQUIRE(plain.size() == 2);
    CHECK(plain[1].short_message.substr(0, 6) == std::string("\5\0\3\x09\2\2", 6));
    CHECK(plain[0].esm_class == 0x40);

    for (const std::string& it :
         {repeated("a", 152) + repeated("€", 20), repeated("a", 151) + repeated("€", 200),
          "漢" + repeated("😀", 100), repeated("漢", 200)}) {
        CHECK(joined(parts_of(received(it), 9, Coding::gsm7)) == it);
    }
}

TEST_CASE(
    "received messages: the longest that can come is given whole, and cut only between "
    "characters") {
    constexpr int characters = 255 * 153;
    struct Case {
        const char* what;
        Coding dcs0;
        std::string text;
        std::size_t pdus;
    };
    for (const Case& c : {
             Case{"septets", Coding::gsm7, repeated("a", characters), 1},
             Case{"pairs of septets, the cut is in one", Coding::gsm7,
                  "a" + repeated("€", characters), 2},
             Case{"UTF-16", Coding::gsm7, repeated("漢", characters), 2},
             Case{"UTF-16 in pairs, the cut is in one", Coding::latin1,
                  "漢" + repeated("😀", characters), 3},
             Case{"Latin-1", Coding::latin1, repeated("é", characters), 1},
             Case{"UTF-8, the cut is in a character", Coding::utf8,
                  "a" + repeated("漢", characters), 2},
         }) {
        CAPTURE(c.what);
        const auto all = whole(received(c.text), c.dcs0);
        CHECK(all.size() == c.pdus);
        std::string together;
        for (const Message& message : all) {
            const Tlv* const payload = find(message.tlvs, Tag::message_payload);
            REQUIRE(payload != nullptr);
            CHECK(payload->octets.size() <= payload_max);
            together += text_of(payload->octets, coding_of(message.data_coding, c.dcs0))
                            .value_or("invalid");
        }
        CHECK(together == c.text);
    }
}

TEST_CASE("received messages: a class is in data_coding, with the alphabets of GSM") {
    struct Case {
        const char* what;
        ReceivedMessage message;
        std::uint8_t data_coding;
        std::string octets;
    };
    for (const Case& c : {
             Case{"GSM, whatever 0 means",
                  {.octets = "a@", .message_class = 0},
                  0x10,
                  "a" + std::string(1, '\0')},
             Case{"UTF-16", {.octets = "漢", .message_class = 2}, 0x1A, "\x6F\x22"},
             Case{"octets", {.octets = "\xFF", .is_text = false, .message_class = 3}, 0x17, "\xFF"},
         }) {
        CAPTURE(c.what);
        for (const bool in_parts : {false, true}) {
            const auto all = in_parts ? parts_of(c.message, 9, Coding::latin1)
                                      : whole(c.message, Coding::latin1);
            REQUIRE(all.size() == 1);
            CHECK(all[0].data_coding == c.data_coding);
            CHECK(all[0].short_message == c.octets);
        }
    }
    ReceivedMessage flash = received(repeated("é", 200));
    flash.message_class = 0;
    const auto parts = parts_of(flash, 9, Coding::latin1);
    REQUIRE(parts.size() == 2);
    CHECK(parts[1].data_coding == 0x10);
    CHECK(joined(parts) == flash.octets);
}

TEST_CASE("received messages: ports are parameters, or with parts in the header") {
    ReceivedMessage message = received("a");
    message.ports = Ports16{.destination = 0x23F4, .source = 0x05};
    const Message one = whole_one(message, Coding::gsm7);
    CHECK(one.esm_class == 0);
    CHECK(one.short_message == "a");
    REQUIRE(find(one.tlvs, Tag::destination_port) != nullptr);
    CHECK(find(one.tlvs, Tag::destination_port)->number() == 0x23F4);
    CHECK(find(one.tlvs, Tag::source_port)->number() == 5);
    const auto alone = parts_of(message, 9, Coding::gsm7);
    REQUIRE(alone.size() == 1);
    CHECK(alone[0].esm_class == 0x40);
    CHECK(alone[0].tlvs.empty());
    CHECK(alone[0].short_message == std::string("\x06\x05\x04\x23\xF4\0\x05", 7) + "a");

    struct Case {
        const char* what;
        const char* character;
        int fit;  // into one, behind the header
        int in_part;
    };
    for (const Case& c : {Case{"septets", "a", 152, 146}, Case{"UTF-16", "漢", 66, 64}}) {
        CAPTURE(c.what);
        message.octets = repeated(c.character, c.fit);
        CHECK(parts_of(message, 9, Coding::gsm7).size() == 1);
        message.octets = repeated(c.character, c.fit + 1);
        const auto parts = parts_of(message, 9, Coding::gsm7);
        REQUIRE(parts.size() == 2);
        const std::string second("\x0B\0\x03\x09\x02\x02\x05\x04\x23\xF4\0\x05", 12);
        CHECK(parts[1].short_message.starts_with(second));
        const std::size_t left = parts[1].short_message.size() - second.size();
        const std::size_t octets_each = c.in_part == 64 ? 2 : 1;
        CHECK(left == static_cast<std::size_t>(c.fit + 1 - c.in_part) * octets_each);
    }
}

TEST_CASE("received messages: parts after the 255th have the next reference") {
    for (const Coding dcs0 : {Coding::gsm7, Coding::latin1, Coding::utf8}) {
        const std::string it = repeated("漢", 255 * 153);
        const auto parts = parts_of(received(it), 0xFF, dcs0);
        REQUIRE(parts.size() > parts_max);
        std::string together;
        for (const Message& part : parts) {
            together += text_of(part.short_message.substr(6), coding_of(part.data_coding, dcs0))
                            .value_or("invalid");
        }
        CHECK(together == it);
        CHECK(parts[254].short_message.substr(0, 6) == std::string("\5\0\3\xFF\xFF\xFF", 6));
        CHECK(parts[255].short_message.substr(0, 4) == std::string("\5\0\3\0", 4));
        CHECK(parts[255].short_message[5] == 1);
        CHECK(parts.back().short_message[4] == parts.back().short_message[5]);
    }
}
