#include "src/codec/send_codec.hpp"

#include "src/pdu/decode.hpp"
#include "tests/support/manual_clock.hpp"
#include "tests/support/seeded_random.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

pdu::ValidityPeriod validity_of(const std::string& octets) {
    const auto decoded = pdu::decode_pdu(pdu::octets_of(octets), pdu::Direction::from_mobile);
    REQUIRE(decoded);
    return std::get<pdu::SmsSubmit>(decoded->tpdu).vp;
}

}  // namespace

TEST_CASE("SendCodec: how long the service centre may keep a message") {
    struct Row {
        const char* so;
        std::chrono::seconds left;
        bool short_validity;
        bool without_validity;
        pdu::ValidityFormat format;
        std::optional<std::chrono::seconds> duration;
    };
    using enum pdu::ValidityFormat;
    for (const Row& row : {
             Row{"rounded down, so that nothing stale arrives", 14min, false, false, relative,
                 10min},
             Row{"5 minutes is the shortest usual form", 60s, false, false, relative, 5min},
             Row{"in seconds where it is allowed", 60s, true, false, enhanced, 60s},
             Row{"down to the second before", 299s, true, false, enhanced, 299s},
             Row{"from 5 minutes on as usual", 300s, true, false, relative, 5min},
             Row{"nothing where the centre refused it", 60s, true, true, none, std::nullopt},
         }) {
        CAPTURE(row.so);
        test::ManualClock clock;
        test::SeededRandom random(1);
        codec::SendCodec codec({.short_validity = row.short_validity}, clock, random);
        queue::OutSlot slot;
        slot.message.body.to = "+33612345678";
        slot.message.body.text = "hello";
        slot.message.without_validity = row.without_validity;
        slot.message.expires_at = clock.wall() + row.left;
        REQUIRE(codec.encode(slot));
        CHECK(validity_of(slot.pdus.at(0)).format == row.format);
        CHECK(validity_of(slot.pdus.at(0)).duration() == row.duration);
        const std::string first = slot.pdus.at(0);
        codec.refresh_validity(slot);
        CHECK(slot.pdus.at(0) == first);
    }
}

TEST_CASE("SendCodec: a message that waited says what is left of its time") {
    test::ManualClock clock;
    test::SeededRandom random(1);
    codec::SendCodec codec({.short_validity = true}, clock, random);
    queue::OutSlot slot;
    slot.message.body.to = "+33612345678";
    slot.message.body.text = "hello";
    slot.message.expires_at = clock.wall() + 400s;
    REQUIRE(codec.encode(slot));
    CHECK(validity_of(slot.pdus.at(0)).duration() == 5min);
    clock.advance(300s);
    codec.refresh_validity(slot);
    CHECK(validity_of(slot.pdus.at(0)).duration() == 100s);
}

namespace {

pdu::UserData sent_by(codec::SendCodec& codec, queue::OutSlot& slot) {
    REQUIRE(codec.encode(slot));
    REQUIRE(slot.pdus.size() == 1);
    const auto decoded =
        pdu::decode_pdu(pdu::octets_of(slot.pdus.front()), pdu::Direction::from_mobile);
    REQUIRE(decoded);
    return std::get<pdu::SmsSubmit>(decoded->tpdu).user_data;
}

}  // namespace

TEST_CASE("SendCodec: a part of a client's long message has its place, and our reference") {
    test::ManualClock clock;
    test::SeededRandom random(1);
    codec::SendCodec codec({}, clock, random);
    const std::string ports("\x05\x04\x0b\x84\x23\xf0", 6);
    std::uint16_t ref = 0;
    for (const std::uint8_t number : {std::uint8_t{1}, std::uint8_t{2}}) {
        queue::OutSlot slot;
        slot.message.body = {.to = "+33612345678",
                             .text = std::string(146, 'x'),  // all that the header leaves
                             .part = PartPlace{.total = 2, .number = number},
                             .elements = ports};
        slot.message.expires_at = clock.wall() + 1h;
        if (number == 2) {
            slot.message.concat_ref = ref;
        }
        const pdu::UserData data = sent_by(codec, slot);
        REQUIRE(data.udh);
        REQUIRE(data.udh->concat);
        CHECK(data.udh->concat->total == 2);
        CHECK(data.udh->concat->seq == number);
        CHECK(data.udh->ports->dst == 2948);
        CHECK(data.text() == slot.message.body.text);
        REQUIRE(slot.message.concat_ref);
        CHECK(data.udh->concat->ref == *slot.message.concat_ref);
        ref = *slot.message.concat_ref;
    }
    queue::OutSlot other;
    other.message.body = {
        .to = "+33612345678", .text = "x", .part = PartPlace{.total = 2, .number = 1}};
    CHECK(sent_by(codec, other).udh->concat->ref != ref);
    other.message.body.text = std::string(161, 'x');
    CHECK(codec.encode(other).error().code == Errc::too_long);
}

TEST_CASE("SendCodec: a client's header is in each segment of a message that we cut") {
    test::ManualClock clock;
    test::SeededRandom random(1);
    codec::SendCodec codec({}, clock, random);
    queue::OutSlot slot;
    slot.message.body = {.to = "+33612345678",
                         .text = std::string(200, 'x'),
                         .elements = std::string("\x0a\x03\x00\x05\x10", 5)};
    slot.message.expires_at = clock.wall() + 1h;
    REQUIRE(codec.encode(slot));
    REQUIRE(slot.pdus.size() == 2);
    for (const std::string& octets : slot.pdus) {
        CHECK(octets.contains(slot.message.body.elements));
    }
}

TEST_CASE("SendCodec: the protocol identifier that was asked for; else none") {
    test::ManualClock clock;
    test::SeededRandom random(1);
    codec::SendCodec codec({}, clock, random);
    for (const std::uint8_t pid : {std::uint8_t{0}, std::uint8_t{0x41}, std::uint8_t{0x47}}) {
        queue::OutSlot slot;
        slot.message.body = {.to = "+33612345678", .text = "x", .pid = pid};
        slot.message.expires_at = clock.wall() + 1h;
        REQUIRE(codec.encode(slot));
        const auto decoded =
            pdu::decode_pdu(pdu::octets_of(slot.pdus.front()), pdu::Direction::from_mobile);
        REQUIRE(decoded);
        CHECK(std::get<pdu::SmsSubmit>(decoded->tpdu).tp_pid == pid);
    }
}
