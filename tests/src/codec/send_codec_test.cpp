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
