#include "src/pdu/reassembler.hpp"

#include "src/pdu/decode.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace smsrack::pdu {
namespace {

InboundSegment segment(InboundKind kind, std::string payload) {
    InboundSegment made{};
    made.kind = kind;
    made.payload = std::move(payload);
    return made;
}

std::string utf16(std::initializer_list<unsigned> octets) {
    std::string text;
    for (const unsigned octet : octets) {
        text += static_cast<char>(octet);
    }
    return text;
}

TEST_CASE(
    "joining: texts are joined in order, and a pair cut between two segments is one character") {
    const std::vector segments{segment(InboundKind::ucs2, utf16({0, 'a', 0xD8, 0x3D})),
                               segment(InboundKind::ucs2, utf16({0xDE, 0x00, 0, 'b'})),
                               segment(InboundKind::gsm7, "é€"),
                               segment(InboundKind::ucs2, utf16({0xD8, 0x3D}))};
    const InboundText joined = join_segments(segments);
    CHECK_FALSE(joined.is_data);
    CHECK(joined.text == "a😀bé€\uFFFD");
    CHECK(joined.data.empty());
}

TEST_CASE("joining: a missing half of a pair is U+FFFD, nothing else is touched") {
    const std::vector segments{segment(InboundKind::ucs2, utf16({0, 'a', 0xD8, 0x3D})),
                               segment(InboundKind::ucs2, utf16({0, 'b'}))};
    CHECK(join_segments(segments).text == "a\uFFFDb");
    CHECK(join_segments({}).text.empty());
}

TEST_CASE("joining: data is data, also beside text") {
    const std::vector segments{segment(InboundKind::data, std::string("\0\xFF", 2)),
                               segment(InboundKind::gsm7, "x")};
    const InboundText joined = join_segments(segments);
    CHECK(joined.is_data);
    CHECK(joined.text.empty());
    CHECK(joined.data == std::string("\0\xFFx", 3));
    const std::vector raw{segment(InboundKind::undecodable, "\x01\x02")};
    CHECK(join_segments(raw).is_data);
}

std::string from_hex(const std::string& hex) {
    std::string octets;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
        octets += static_cast<char>(std::stoul(hex.substr(i, 2), nullptr, 16));
    }
    return octets;
}

TEST_CASE("a received segment is described by its PDU") {
    const std::string pdu = from_hex(
        "0791947106004034440C91947122436587001842605021705480100500030102010447043004410442044C");
    const auto decoded = decode_pdu(octets_of(pdu), Direction::stored);
    REQUIRE(decoded.has_value());
    InboundSegment made{};
    describe(std::get<SmsDeliver>(decoded->tpdu), made);
    CHECK(made.from == "+491722345678");
    CHECK(made.scts_text == "2024-06-05T12:07:45+02:00");
    CHECK(made.scts == WallTime{std::chrono::sys_days{std::chrono::year{2024} / 6 / 5}} +
                           std::chrono::hours{10} + std::chrono::seconds{465});
    CHECK(made.kind == InboundKind::ucs2);
    CHECK(made.message_class == 0);
    REQUIRE(made.concat.has_value());
    CHECK(made.concat->ref == 1);
    CHECK(made.concat->total == 2);
    CHECK(join_segments({&made, 1}).text == "часть");
}

TEST_CASE("a status report is described by its PDU") {
    const std::string pdu =
        from_hex("0791947106004034062C0C91947122436587426050217054804260502180658046");
    const auto decoded = decode_pdu(octets_of(pdu), Direction::stored);
    REQUIRE(decoded.has_value());
    StatusReport made{};
    describe(std::get<SmsStatusReport>(decoded->tpdu), made);
    CHECK(made.tp_mr == 44);
    CHECK(made.recipient == "+491722345678");
    CHECK(made.tp_status == 0x46);
    REQUIRE((made.scts && made.discharge));
    CHECK(*made.discharge - *made.scts == std::chrono::seconds{71});
}

}  // namespace
}  // namespace smsrack::pdu
