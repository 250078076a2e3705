#include "src/pdu/sms_submit.hpp"

#include "src/pdu/decode.hpp"
#include "src/pdu/message_pdus.hpp"

#include <doctest/doctest.h>

#include <string>

namespace smsrack::pdu {
namespace {

using namespace std::chrono_literals;

SmsSubmit read_back(const std::string& pdu) {
    const auto decoded = decode_pdu(octets_of(pdu), Direction::from_mobile);
    REQUIRE(decoded.has_value());
    CHECK(decoded->trailing.empty());
    CHECK(decoded->tpdu_length == tpdu_length(pdu));
    return std::get<SmsSubmit>(decoded->tpdu);
}

TEST_CASE("SMS-SUBMIT: the validity period of a made PDU can be set, whatever it had") {
    SegmentData segment{.tp_udl = 3, .size = 3};
    segment.octets = {'a', 'b', 'c'};
    for (const char* number : {"1", "12", "491722345678", "12345678901234567890"}) {
        for (const auto& centre :
             {std::optional<AddressOctets>{},
              std::optional(*make_service_centre({.number = "491760000443", .ton = 1}))}) {
            for (const ValidityFormat format :
                 {ValidityFormat::none, ValidityFormat::enhanced, ValidityFormat::relative,
                  ValidityFormat::absolute}) {
                const SubmitHead head{.destination = *make_address({.number = number}, "to"),
                                      .service_centre = centre,
                                      .tp_pid = 65,
                                      .tp_dcs = 0x04,
                                      .vp = {.format = format},
                                      .status_report = true};
                std::string pdu = make_sms_submit(head, 200, segment);
                for (const std::uint8_t value : {std::uint8_t{167}, std::uint8_t{0}}) {
                    set_validity(pdu, enhanced_period(90s));
                    CHECK(read_back(pdu).vp.duration() == 90s);
                    set_validity(pdu, {});
                    CHECK(read_back(pdu).vp.format == ValidityFormat::none);
                    CHECK(characters_of(read_back(pdu).user_data.payload) == "abc");
                    set_validity(pdu, relative_period(value));
                    const SmsSubmit submit = read_back(pdu);
                    CHECK(submit.vp.format == ValidityFormat::relative);
                    CHECK(submit.vp.duration() == relative_duration(value));
                    CHECK(submit.first.has(FirstOctet::status_report));
                    CHECK(submit.tp_mr == 200);
                    CHECK(submit.tp_pid == 65);
                    CHECK(submit.destination.number.view() == number);
                    CHECK(characters_of(submit.user_data.payload) == "abc");
                }
            }
        }
    }
}

TEST_CASE("a message as PDUs: number, class, ports, report and validity are in each of them") {
    MessageBody body{
        .to = "+33612345678", .text = std::string(200, 'a'), .report = true, .message_class = 1};
    body.ports = PortAddress{.dst = 2948, .src = 9200};
    const auto pdus = encode_message(body, {.concat_ref = 0x1234, .valid_for = 3h + 4min});
    REQUIRE(pdus.has_value());
    REQUIRE(pdus->size() == 2);
    for (std::size_t i = 0; i < pdus->size(); ++i) {
        const SmsSubmit submit = read_back((*pdus)[i]);
        CHECK(submit.destination.display() == "+33612345678");
        CHECK(submit.user_data.dcs.message_class == 1);
        CHECK(submit.first.has(FirstOctet::status_report));
        CHECK(submit.vp.duration() == 3h);
        REQUIRE(
            (submit.user_data.udh && submit.user_data.udh->ports && submit.user_data.udh->concat));
        CHECK(submit.user_data.udh->ports->dst == 2948);
        CHECK(submit.user_data.udh->concat->ref == 0x34);
        CHECK(submit.user_data.udh->concat->seq == i + 1);
    }
}

TEST_CASE("a message as PDUs: short codes, data and no validity") {
    const auto pdus = encode_message(
        {.to = "36180", .data = std::string("\0\xFF", 2), .is_data = true, .report = false}, {});
    REQUIRE(pdus.has_value());
    REQUIRE(pdus->size() == 1);
    const SmsSubmit submit = read_back(pdus->front());
    CHECK(submit.destination.display() == "36180");
    CHECK(submit.vp.format == ValidityFormat::none);
    CHECK_FALSE(submit.first.has(FirstOctet::status_report));
    CHECK(characters_of(submit.user_data.payload) == std::string("\0\xFF", 2));
}

TEST_CASE(
    "a message as PDUs: what can't be sent is refused in the words of the rack, without the text") {
    struct Row {
        const char* so;
        MessageBody body;
        Errc code;
    };
    for (const Row& row : {
             Row{"not UTF-8", {.to = "+33612345678", .text = "secret\xFF"}, Errc::bad_encoding},
             Row{"256 segments",
                 {.to = "+33612345678", .text = std::string(40'000, 'x')},
                 Errc::too_long},
             Row{"no number", {.to = "secret", .text = "hello"}, Errc::bad_number},
         }) {
        CAPTURE(row.so);
        const auto pdus = encode_message(row.body, {});
        REQUIRE_FALSE(pdus.has_value());
        CHECK(errc_name(pdus.error().code) == errc_name(row.code));
        CHECK(pdus.error().context.find("secret") == std::string::npos);
    }
}

}  // namespace
}  // namespace smsrack::pdu
