#include "src/smpp/submission.hpp"

#include "src/base/time_text.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using namespace smsrack;
using namespace smsrack::smpp;
using namespace std::string_literals;

namespace {

const WallTime now = smsrack::time_of("2026-11-27T12:00:00Z").value();
const Account account{.name = "shop", .hash = "$y$"};

Message message_to(std::string number, std::string octets) {
    return {.destination = {.ton = 1, .npi = 1, .text = std::move(number)},
            .short_message = std::move(octets)};
}

Submission accepted(const Message& message, const Account& by = account) {
    auto submission = submission_of(message, by, now);
    REQUIRE(submission);
    return *std::move(submission);
}

Status refused(const Message& message) {
    const auto submission = submission_of(message, account, now);
    return submission ? Status::ok : submission.error();
}

}  // namespace

TEST_CASE("submissions: a destination is a number of the world, of the country, or a short code") {
    struct Case {
        Address address;
        std::string_view to;
    };
    for (const auto& [address, to] :
         {Case{{.ton = 1, .text = "33612345678"}, "+33612345678"},
          Case{{.ton = 1, .text = "+33612345678"}, "+33612345678"},
          Case{{.ton = 0, .text = "0033612345678"}, "+33612345678"},
          Case{{.ton = 0, .text = "0612345678"}, "0612345678"},
          Case{{.ton = 2, .text = "0612345678"}, "0612345678"},
          Case{{.ton = 3, .text = "12345"}, "12345"}, Case{{.ton = 3, .text = "1234567"}, ""},
          Case{{.ton = 5, .text = "Bank"}, ""}, Case{{.ton = 1, .text = ""}, ""},
          Case{{.ton = 1, .text = "+"}, ""}, Case{{.ton = 1, .text = "336 12"}, ""}}) {
        CAPTURE(address.text);
        const auto number = number_of(address);
        CHECK(number.value_or("") == to);
        if (to.empty()) {
            CHECK(number.error() == Status::invalid_destination);
        }
    }
}

TEST_CASE("submissions: a text is read by its coding") {
    struct Case {
        std::uint8_t data_coding;
        std::string octets;
        std::string_view text;
    };
    for (const auto& [data_coding, octets, text] :
         {Case{0, "a\x1B\x65@", "a€¡"}, Case{1, "a@", "a@"}, Case{3, "\xE9", "é"},
          Case{8, "\x20\xAC\xD8\x3D\xDE\x00"s, "€😀"}, Case{0x11, "a", "a"},
          Case{0x18, "\0a"s, "a"}}) {
        CAPTURE(data_coding);
        Message message = message_to("33612345678", octets);
        message.data_coding = data_coding;
        CHECK(accepted(message).content.octets == text);
    }
    Message flash = message_to("33612345678", "a");
    flash.data_coding = 0x10;
    CHECK(accepted(flash).content.message_class == 0);
    Message data = message_to("33612345678", "\x01\xFF");
    data.data_coding = 4;
    CHECK_FALSE(accepted(data).content.is_text);
    Message broken = message_to("33612345678", "\xD8\x3D");
    broken.data_coding = 8;
    CHECK(refused(broken) == Status::submit_failed);
}

TEST_CASE("submissions: data_coding 0 and 1 are what the account says") {
    const Account latin{.name = "shop", .hash = "$y$", .dcs0 = Coding::latin1};
    CHECK(accepted(message_to("33612345678", "\xE9"), latin).content.octets == "é");
    CHECK(refused(message_to("33612345678", "\xE9")) == Status::submit_failed);

    const Account septets{.name = "shop", .hash = "$y$", .dcs1 = Coding::gsm7};
    Message message = message_to("33612345678", "\x05\x11\x5B");
    message.data_coding = 1;
    CHECK(accepted(message, septets).content.octets == "é_Ä");
    CHECK(accepted(message).content.octets == "\x05\x11[");
}

TEST_CASE("submissions: a part says its place in its header or in sar parameters") {
    Message part = message_to("33612345678", "\x05\x00\x03\x2A\x03\x02hi"s);
    part.esm_class = 0x40;
    part.source.text = "1";
    const Content in_header = accepted(part).content;
    REQUIRE(in_header.place);
    CHECK(*in_header.place == PartPlace{.key = "2a 31", .of = 3, .part = 2});
    CHECK(in_header.octets == "hi");

    part.short_message = "\x06\x08\x04\x00\x2A\x02\x01hi"s;
    const Content wide = accepted(part).content;
    REQUIRE(wide.place);
    CHECK(wide.place->key == "1002a 31");

    Message sar = message_to("33612345678", "hi");
    sar.tlvs = {integer_tlv(Tag::sar_msg_ref_num, 0x2A), integer_tlv(Tag::sar_total_segments, 2),
                integer_tlv(Tag::sar_segment_seqnum, 1)};
    const Content by_tlv = accepted(sar).content;
    REQUIRE(by_tlv.place);
    CHECK(by_tlv.place->of == 2);
    CHECK(by_tlv.place->part == 1);
    CHECK(by_tlv.place->key != in_header.place->key);

    sar.tlvs[2] = integer_tlv(Tag::sar_segment_seqnum, 3);
    CHECK_FALSE(accepted(sar).content.place);
}

TEST_CASE("submissions: a part has a place that the service takes, whatever its source") {
    Message part = message_to("33612345678", "\x06\x08\x04\xFF\xFF\x02\x01hi"s);
    part.esm_class = 0x40;
    part.source.text = "Caf\xE9";
    CHECK(accepted(part).content.place->key == "1ffff 436166e9");
    part.source.text = std::string(64, 'a');
    CHECK(accepted(part).content.place->key.size() <= 64);
}

TEST_CASE("submissions: ports have a place of their own, and what is not known is kept") {
    Message message =
        message_to("33612345678", "\x0B\x05\x04\x0B\x84\x23\xF0\x70\x03\x01\x02\x03hi"s);
    message.esm_class = 0x40;
    const Content content = accepted(message).content;
    CHECK(content.ports == Ports16{.destination = 0x0B84, .source = 0x23F0});
    CHECK(content.elements == "\x70\x03\x01\x02\x03"s);
    CHECK(content.octets == "hi");
}

TEST_CASE("submissions: a header that does not add up is refused") {
    Message message = message_to("33612345678", "\x05\x00\x04\x2A\x03\x02hi"s);
    message.esm_class = 0x40;
    CHECK(refused(message) == Status::submit_failed);
    message.short_message = "\x7F";
    CHECK(refused(message) == Status::submit_failed);
    message.short_message = "";
    CHECK(refused(message) == Status::submit_failed);
}

TEST_CASE("submissions: octets are in short_message or in message_payload, never in both") {
    Message message = message_to("33612345678", "");
    message.tlvs = {{.tag = Tag::message_payload, .octets = std::string(1'000, 'a')}};
    CHECK(accepted(message).content.octets.size() == 1'000);
    message.short_message = "a";
    CHECK(refused(message) == Status::invalid_message_length);
}

TEST_CASE("submissions: times become a begin and a lifetime from it") {
    Message message = message_to("33612345678", "a");
    message.schedule_delivery_time = "000000010000000R";
    message.validity_period = "000000030000000R";
    const Submission submission = accepted(message);
    CHECK(submission.not_before == now + std::chrono::hours(1));
    CHECK(submission.lifetime == std::chrono::hours(2));

    message.validity_period = "000000003000000R";
    CHECK(refused(message) == Status::invalid_expiry);
    message.validity_period = "990000000000000R";
    CHECK(accepted(message).lifetime == std::chrono::weeks(63));
    message.validity_period = "";
    message.schedule_delivery_time = "261332000000000+";
    CHECK(refused(message) == Status::invalid_schedule);
    message.schedule_delivery_time = "200101000000000+";
    CHECK_FALSE(accepted(message).not_before);
}

TEST_CASE("submissions: the line has what the service needs, and nothing that was not said") {
    Message message = message_to("33612345678", "Hi");
    message.registered_delivery = 1;
    message.priority_flag = 3;
    message.protocol_id = 0x41;
    const std::string line = line_of(accepted(message), "r1");
    CHECK(line ==
          R"({"to":"+33612345678","text":"Hi","note":"smpp 1  0 0  1 1 3333363132333435363738 )"
          R"(-1 1795780800000 Hi","ref":"r1","priority":6,"report":true,"pid":65})");
}

TEST_CASE("submissions: a source that is a number may name the SIM; no other one can") {
    struct Case {
        Address source;
        bool is_number;
    };
    for (const Case& c : {Case{{.ton = 1, .npi = 1, .text = "33600000002"}, true},
                          Case{{.ton = 0, .npi = 1, .text = "+33600000002"}, true},
                          Case{{.ton = 5, .npi = 0, .text = "Bank"}, false}, Case{{}, false}}) {
        CAPTURE(c.source.text);
        Message message = message_to("33612345678", "Hi");
        message.source = c.source;
        const std::string line = line_of(accepted(message), "r1");
        const std::string member = R"("from":"+33600000002","from_else_any":)";
        CHECK(line.contains(member + "true") == c.is_number);
        CHECK(line.contains(R"("from)") == c.is_number);
        const auto own = submission_of(message, {.own_source = true}, now);
        REQUIRE(own.has_value() == c.is_number);
        if (own) {
            CHECK(line_of(*own, "r1").contains(member + "false"));
        } else {
            CHECK(own.error() == Status::invalid_source);
        }
    }
}

TEST_CASE("notes: what is written is read again") {
    Note note{.registered_delivery = 17,
              .service_type = "CMT",
              .source = {.ton = 5, .npi = 0, .text = "A \xFF"},
              .destination = {.ton = 1, .npi = 1, .text = "33612345678"},
              .reference = 65'535,
              .submitted = now,
              .text = "with blanks  and é"};
    CHECK(note_of(text_of_note(note)) == note);
    note.reference.reset();
    note.text.clear();
    CHECK(note_of(text_of_note(note)) == note);
    CHECK_FALSE(note_of("order 4711"));
    CHECK_FALSE(note_of("smpp 1 2"));
    CHECK_FALSE(note_of("smpp 300  0 0  0 0  -1 0 "));
}

TEST_CASE("notes: the text is cut after 20 characters, and the longest note fits") {
    Message message = message_to(std::string(20, '3'), "");
    message.service_type = "ABCDE";
    message.source.text = std::string(20, 'x');
    message.data_coding = 8;
    for (int i = 0; i < 30; ++i) {
        message.short_message += "\xD8\x3D\xDE\x00"s;
    }
    const Submission submission = accepted(message);
    CHECK(submission.note.text.size() == 80);
    CHECK(text_of_note(submission.note).size() <= 512);
}
