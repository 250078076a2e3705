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
    const Message plain = whole(received("a€ é"));
    CHECK(plain.data_coding == 0);
    CHECK(plain.short_message == "a\x1B\x65 \x05");
    CHECK(plain.source.text == "33612345678");
    CHECK(plain.destination.text == "33600000001");
    const Message wide = whole(received("漢😀"));
    CHECK(wide.data_coding == 8);
    CHECK(wide.short_message == std::string("\x6F\x22\xD8\x3D\xDE\x00", 6));
    const Message data = whole({.from = "1", .octets = std::string("\0\xFF", 2), .is_text = false});
    CHECK(data.data_coding == 4);
    CHECK(data.short_message == std::string("\0\xFF", 2));
}

TEST_CASE("received messages: a long one is whole in its payload") {
    const Message message = whole(received(repeated("a", 255)));
    CHECK(message.short_message.empty());
    REQUIRE(find(message.tlvs, Tag::message_payload) != nullptr);
    CHECK(find(message.tlvs, Tag::message_payload)->octets == repeated("a", 255));
    CHECK(whole(received(repeated("a", 254))).tlvs.empty());
}

TEST_CASE("received messages: parts have a header, and cut no character") {
    CHECK(parts_of(received(repeated("a", 160)), 9).size() == 1);
    const auto plain = parts_of(received(repeated("a", 161)), 9);
    REQUIRE(plain.size() == 2);
    CHECK(plain[1].short_message.substr(0, 6) == std::string("\5\0\3\x09\2\2", 6));
    CHECK(plain[0].esm_class == 0x40);

    for (const std::string& it :
         {repeated("a", 152) + repeated("€", 20), repeated("a", 151) + repeated("€", 200),
          "漢" + repeated("😀", 100), repeated("漢", 200)}) {
        CHECK(joined(parts_of(received(it), 9)) == it);
    }
}
